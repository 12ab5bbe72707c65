// Keeps what was loaded, so that the page works offline: fresh from the network where there is one, else what is kept.

const scope = self as unknown as ServiceWorkerGlobalScope;
const NAME = "tslint-playground";

scope.addEventListener("install", () => void scope.skipWaiting());
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(scope.registration.scope)) {
    event.respondWith(answer(event.request));
  }
});

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  try {
    const found = await fetch(request);
    if (found.ok) {
      await cache.put(request, found.clone());
    }
    return found;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept === undefined) {
      throw error;
    }
    return kept;
  }
}

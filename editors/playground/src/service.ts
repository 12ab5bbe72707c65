// Keeps what was loaded, so that the page works offline. What stands below kept/ never changes under its address: it is
// taken from there; all else is fresh from the network where there is one.

const scope = self as unknown as ServiceWorkerGlobalScope;
const NAME = "tslint-playground";

scope.addEventListener("install", () => void scope.skipWaiting());
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(scope.registration.scope)) {
    event.respondWith(answer(event.request));
  }
});
// What the page loaded on its first visit, before this was there.
scope.addEventListener("message", (event) => event.waitUntil(keep(event.data as string[])));

async function keep(loaded: string[]): Promise<void> {
  const cache = await caches.open(NAME);
  for (const request of await cache.keys()) {
    if (!loaded.includes(request.url)) {
      await cache.delete(request);
    }
  }
  for (const each of loaded.filter((address) => address.startsWith(scope.registration.scope))) {
    if ((await cache.match(each)) === undefined) {
      await cache.add(each);
    }
  }
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept !== undefined && request.url.includes("/kept/")) {
    return kept;
  }
  try {
    const found = await fetch(request);
    if (found.ok) {
      await cache.put(request, found.clone());
    }
    return found;
  } catch (error) {
    if (kept === undefined) {
      throw error;
    }
    return kept;
  }
}

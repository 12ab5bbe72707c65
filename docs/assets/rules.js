// A filter above the tables of all rules: by words, by fix, and those that are opt-in.
function filterRules() {
  const title = document.querySelector("h1");
  if (!title || document.querySelector(".rule-filter") || !/\/rules\/(index\.html)?$/.test(location.pathname)) return;
  const form = document.createElement("form");
  form.className = "rule-filter";
  form.innerHTML =
    '<input type="search" placeholder="Filter rules" aria-label="Filter rules">' +
    ["safe", "unsafe", "opt-in"].map((name) => `<label><input type="checkbox" value="${name}"> ${name}</label>`).join("");
  const show = () => {
    const words = form.querySelector("[type=search]").value.toLowerCase();
    const wanted = [...form.querySelectorAll(":checked")].map((box) => box.value);
    for (const row of document.querySelectorAll("tbody tr")) {
      const badges = [...row.querySelectorAll(".badge")].map((badge) => badge.textContent);
      row.hidden = !row.textContent.toLowerCase().includes(words) || !wanted.every((name) => badges.includes(name));
    }
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  title.after(form);
}

document.addEventListener("DOMContentLoaded", filterRules);

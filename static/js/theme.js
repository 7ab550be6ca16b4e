/* Before the first paint: light or dark, as chosen last time (data-scheme), or else as the system has it; the answer is data-theme. A part of the page that does not load is marked as data-broken. */
{
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const apply = () => {
    const { scheme } = root.dataset;
    root.dataset.theme = scheme === "light" || scheme === "dark" ? scheme : system.matches ? "dark" : "light";
  };

  try {
    root.dataset.scheme = localStorage.getItem("glassformer.theme") ?? "system";
  } catch {
    // storage is blocked: the system's scheme it is
  }
  /** What is asked for again by itself is not missed (core/plotly.js). @param {EventTarget | null} target */
  const isPart = (target) => (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) && target.dataset.asked !== "again";
  addEventListener("error", ({ target }) => { if (isPart(target)) root.dataset.broken = "true"; }, { capture: true });
  apply();
  system.addEventListener("change", apply);
  new MutationObserver(apply).observe(root, { attributeFilter: ["data-scheme"] });
}

/** On a low screen the page scrolls. Then the wheel scrolls it over the diagram too, which else takes the wheel for itself. */

/** Where the diagram has been panned or zoomed by hand, or Ctrl is held, the wheel stays the diagram's. */
export function letThePageScroll() {
  document.addEventListener("wheel", (event) => {
    const root = document.documentElement;
    const scrolls = root.scrollHeight > root.clientHeight + 1;
    const surface = event.target instanceof Element ? event.target.closest(".dg-surface") : null;
    if (scrolls && surface && !event.ctrlKey && !event.metaKey && !surface.classList.contains("moved")) event.stopPropagation();
  }, { capture: true, passive: true });
}

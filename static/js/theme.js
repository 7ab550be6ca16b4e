/* Before the first paint: the colour scheme that was chosen last time, if any. */
try {
  const chosen = localStorage.getItem("glassformer.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // storage is blocked: the system's scheme it is
}

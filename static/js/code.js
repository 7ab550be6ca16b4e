/* The page that asks for a class's code: it sends what is typed, and opens what was asked for. */

const form = /** @type {HTMLFormElement} */ (document.querySelector(".code-form"));
const field = /** @type {HTMLInputElement} */ (document.querySelector("#code"));
const says = /** @type {HTMLElement} */ (document.querySelector("#code-says"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));

const enter = () => location.replace(location.href);

/** @param {string} text @param {boolean} wrong */
const say = (text, wrong) => {
  says.textContent = text;
  says.classList.toggle("problem", wrong);
  field.setAttribute("aria-invalid", String(wrong));
};

/** @param {string} code @returns {Promise<string>} what is wrong, or nothing */
const give = async (code) => {
  try {
    const answer = await fetch("/api/code", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
    if (answer.ok) return "";
    const { error } = await answer.json();
    return `${error.message[0].toUpperCase()}${error.message.slice(1)}.`;
  } catch {
    return "The server does not answer. Try again in a moment.";
  }
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  say("Asking …", false);
  const wrong = await give(field.value.trim());
  button.disabled = false;
  if (!wrong) {
    enter();
    return;
  }
  say(wrong, true);
  field.select();
  field.focus();
});

// A link on another site does not bring the cookie along; asked from here, the server knows this browser.
fetch("/api/code").then((answer) => answer.json()).then(({ entered }) => { if (entered) enter(); }).catch(() => {});

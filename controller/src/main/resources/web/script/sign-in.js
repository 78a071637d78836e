// Asks for a token where the API wants one, and hides what cannot be shown without.

import * as api from "./api.js";
import { $, text } from "./dom.js";

const form = $("sign-in");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  api.signIn($("token").value);
  $("token").value = "";
  show(false);
});

export const isAsked = () => !form.hidden;

/** Asks, and says why; the first time there is nothing to blame. */
export function ask(problem) {
  text($("sign-in-problem"), api.isSignedIn() ? problem : "");
  show(true);
  $("token").focus();
}

function show(asked) {
  form.hidden = !asked;
  document.body.classList.toggle("signed-out", asked);
  if (asked) {
    document.documentElement.dataset.ready = "yes";
  }
}

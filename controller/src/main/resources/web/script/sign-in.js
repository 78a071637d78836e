// Asks for a token if the API requires one, and hides everything else meanwhile.

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

/** Asks for a token; shows the problem only if one was rejected. */
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

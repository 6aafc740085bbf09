// A one-time link: whoever has it sets the password of its account and is logged in.

import { acting, newPassword } from "../lib/account.js";
import * as api from "../lib/api.js";
import { el, find, put } from "../lib/dom.js";
import { nav } from "../lib/nav.js";
import { tried } from "../lib/tried.js";

const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // nobody finds it in the history

async function begin() {
  nav("/password", await tried(api.me)); // a session that is there has a token of its own
  const link = await tried(() => api.post("/api/link", { token }));
  if (!link) return;
  const password = newPassword();
  const again = newPassword("Once more");
  const form = acting([password, again], "Set the password", async () => {
    if (password.input.value !== again.input.value) throw { sentence: "The two passwords differ." };
    await api.enter("/api/link/password", { token, password: password.input.value });
    location.assign("/");
  });
  put(find("#form"), el("p", null, "For the account ", el("b", null, link.name), ". Players need 8 characters, staff 12. The link works once."), form);
  password.input.focus();
}

begin();

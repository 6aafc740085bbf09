// The room's HTTP API: JSON in, JSON out, and one kind of error.

let csrf = "";

/** What the server refused, with its sentence and the clause that says so. */
export class Refused extends Error {
  constructor(status, { code = "", sentence = "The room did not answer.", clause = null, ...more } = {}) {
    super(sentence);
    Object.assign(this, { status, code, sentence, clause, more });
  }
}

async function ask(method, path, body) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") Object.assign(headers, { "Content-Type": "application/json", "X-Croupier-CSRF": csrf });
  let answer;
  try {
    answer = await fetch(path, { method, headers, credentials: "same-origin", body: method === "GET" ? undefined : JSON.stringify(body ?? {}) });
  } catch {
    throw new Refused(0, { sentence: "The room cannot be reached." });
  }
  const kind = answer.headers.get("content-type") ?? "";
  const data = kind.includes("json") ? await answer.json() : await answer.blob();
  if (!answer.ok) throw new Refused(answer.status, data.error ?? data);
  return data;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);
export const remove = (path) => ask("DELETE", path);

function remember(me) {
  csrf = me.csrf;
  return me;
}

/** Who is logged in, or null. */
export async function me() {
  try {
    return remember(await get("/api/me"));
  } catch (wrong) {
    if (wrong.status === 401) return null;
    throw wrong;
  }
}

export const guest = async () => remember(await post("/api/guest"));
export const login = (name, password) => enter("/api/login", { name, password });
export const logout = () => post("/api/logout");
/** Whatever gives this browser a new session. */
export const enter = async (path, body) => remember(await post(path, body));
export const ticket = async () => (await post("/api/ticket")).ticket;

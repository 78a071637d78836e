// Requests to this server. A failed request throws an Error with the server's message.

// Kept only in memory, so that it is gone when this page is closed.
let token = "";

export const signIn = (text) => {
  token = text.trim();
};

export const isSignedIn = () => token !== "";

const authorization = () => (token ? { Authorization: "Bearer " + token } : {});

async function ask(url, options = {}) {
  const response = await fetch(url, { ...options, headers: { ...options.headers, ...authorization() } });
  if (!response.ok) {
    throw Object.assign(new Error((await response.json()).error), { status: response.status });
  }
  return response;
}

const path = (...parts) => "/api/v1/" + parts.map(encodeURIComponent).join("/");

export const get = async (parts, query = {}) => {
  const text = new URLSearchParams(query).toString();
  return (await ask(path(...parts) + (text ? "?" + text : ""))).json();
};

export const post = async (parts, body = {}) =>
  (
    await ask(path(...parts), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    })
  ).json();

/** Fetches the report with the token, which a plain link cannot send. */
export const report = async (workload) => (await ask(reportUrl(workload))).blob();

export const reportUrl = (workload) => path("workloads", workload, "replay", "report");

// Asks this server, and nobody else. Every refusal becomes an Error with the server's sentence.

async function answer(response) {
  const body = await response.json();
  if (!response.ok) {
    throw Object.assign(new Error(body.error), { status: response.status });
  }
  return body;
}

const path = (...parts) => "/api/v1/" + parts.map(encodeURIComponent).join("/");

export const get = async (parts, query = {}) => {
  const text = new URLSearchParams(query).toString();
  return answer(await fetch(path(...parts) + (text ? "?" + text : "")));
};

export const post = async (parts, body = {}) =>
  answer(
    await fetch(path(...parts), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

export const reportUrl = (workload) => path("workloads", workload, "replay", "report");

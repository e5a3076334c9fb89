/** Asks an OpenAI-compatible chat completions server for one text. Offers no tools. */
export async function askModel(url: string, system: string, user: string): Promise<string> {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "offline-rules", messages }),
  });
  if (!response.ok) throw new Error(`The model answered ${response.status}.`);
  const body = (await response.json()) as { choices: [{ message: { content: string } }] };
  return body.choices[0].message.content;
}

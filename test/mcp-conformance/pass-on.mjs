// What the suite starts for each scenario: passes it on to the test's process, where the clients are already
// loaded. Scenarios of authorization measure a client alone, and are left out.
const [, , driver, url] = process.argv;
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context } = process.env;
if (!scenario.startsWith("auth/")) {
  await fetch(driver, { method: "POST", body: JSON.stringify({ scenario, url, context }) });
}

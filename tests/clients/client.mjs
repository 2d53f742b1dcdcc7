// The TypeScript SDKs against a server: node client.mjs PACKAGE MODE PLAN URL|COMMAND ARGUMENT…
//
// PACKAGE is where the client comes from (`@modelcontextprotocol/client`, or a version of `@modelcontextprotocol/sdk`), MODE how it agrees on
// a revision (`-` where nothing can be chosen). PLAN is what run.py asked and was answered. Prints a line of JSON for each check.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const [from, mode, planFile, target, ...more] = process.argv.slice(2);
const plan = JSON.parse(await readFile(planFile, 'utf8'));
const second = from === '@modelcontextprotocol/client';

const say = (line) => console.log(JSON.stringify(line));

async function check(what, body) {
  try {
    await body();
    say({ check: what });
  } catch (error) {
    say({ check: what, problem: `${error.message}`.slice(0, 600) });
  }
}

/** A client and its transport, from the second version or from the first. */
async function connect() {
  const index = await import(second ? from : `${from}/client/index.js`);
  const stdio = await import(second ? `${from}/stdio` : `${from}/client/stdio.js`);
  const http = second ? index : await import(`${from}/client/streamableHttp.js`);
  const transport = target.startsWith('http')
    ? new http.StreamableHTTPClientTransport(new URL(target))
    : new stdio.StdioClientTransport({ command: target, args: more, stderr: 'ignore' });
  const negotiation = mode.startsWith('2') ? { mode: { pin: mode } } : { mode };
  const options = second ? { versionNegotiation: negotiation } : {};
  // What the first version agrees on is told to the transport; its oldest releases keep it to themselves.
  let revision;
  const setProtocolVersion = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    setProtocolVersion?.(version);
  };
  const client = new index.Client({ name: 'client-check', version: '1' }, options);
  await client.connect(transport);
  return { client, revision: client.getNegotiatedProtocolVersion?.() ?? revision ?? plan.first[from] };
}

let client;
await check('connects', async () => {
  const connected = await connect();
  client = connected.client;
  say({ revision: connected.revision });
});
if (client) {
  await check('lists the tools', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), plan.tools);
  });
  for (const { what, tool, arguments: args, answer } of plan.calls) {
    await check(what, async () => {
      const result = await client.callTool({ name: tool, arguments: args });
      assert.deepEqual(result.content, answer.content);
      // Releases that know no structured content leave it out.
      if (result.structuredContent !== undefined) assert.deepEqual(result.structuredContent, answer.structuredContent);
      assert.equal(result.isError ?? false, answer.isError ?? false);
    });
  }
  await check('writes once, however often it is sent', async () => {
    const args = { ...plan.feedback, idempotency_key: randomUUID() };
    const answers = [];
    for (let n = 0; n < 2; n += 1) {
      const result = await client.callTool({ name: 'submit_feedback', arguments: args });
      answers.push(JSON.parse(result.content[0].text));
    }
    assert.deepEqual(answers.map((answer) => answer.status), ['recorded', 'already_recorded']);
    assert.equal(answers[0].received_at, answers[1].received_at);
  });
  await check('is told of a tool that does not exist', async () => {
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /Unknown tool: `no_such_tool`/);
  });
  await client.close();
}
process.exit(0);

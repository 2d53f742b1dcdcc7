// Version 2 of the TypeScript SDK, over HTTP or stdio: node ts.mjs URL|COMMAND [auto|2026-07-28]
import assert from 'node:assert';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [server, mode] = process.argv.slice(2);
const transport = server.startsWith('http')
  ? new StreamableHTTPClientTransport(new URL(server))
  : new StdioClientTransport({ command: server, args: [] });
const pinned = mode?.startsWith('2') ? { pin: mode } : mode;
const options = mode ? { versionNegotiation: { mode: pinned } } : {};
const client = new Client({ name: 'ts', version: '1' }, options);
await client.connect(transport);
const { tools } = await client.listTools();
assert(tools.some((tool) => tool.name === 'echo'));
const { content } = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
assert.equal(content[0].text, 'hello');
console.log('ok', client.getNegotiatedProtocolVersion());
await client.close();

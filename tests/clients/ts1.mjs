// Version 1 of the TypeScript SDK: node ts1.mjs URL
import assert from 'node:assert';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]));
const client = new Client({ name: 'ts1', version: '1' });
await client.connect(transport);
const { tools } = await client.listTools();
assert(tools.some((tool) => tool.name === 'echo'));
const { content } = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
assert.equal(content[0].text, 'hello');
await client.close();
console.log('ok', transport.protocolVersion);

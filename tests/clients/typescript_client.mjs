// The TypeScript SDK, version 1, against a server of a real site: node typescript_client.mjs URL
//
// The same questions as python_client.py, from a client of the `initialize` era. The SDK compares each structured answer with the tool's
// `outputSchema`, and throws when they differ. Prints a line for each check; exits 0 when all hold and 1 when one does not.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const TOOLS = [
  'get_page_info', 'get_page_markdown', 'get_post', 'list_collections', 'list_pages', 'list_tags', 'search_content', 'submit_feedback',
];

let failed = 0;

async function check(what, body) {
  const start = performance.now();
  let outcome = 'ok';
  let said;
  try {
    said = await body();
  } catch (error) {
    failed += 1;
    outcome = `FAILED: ${error.message}`;
  }
  const took = (performance.now() - start).toFixed(0);
  console.log(`typescript sdk, HTTP: ${said ? `${what}: ${said}` : what} ... ${outcome} (${took} ms)`);
}

const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]));
const client = new Client({ name: 'client-check', version: '1' });

/** The structured answer of a tool; the text beside it says the same. */
async function ask(name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  assert(!result.isError, `${name}: ${result.content[0]?.text}`);
  assert.deepEqual(result.content.map((block) => block.type), ['text']);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

/** The text blocks of a page's markdown. */
async function read(route) {
  const result = await client.callTool({ name: 'get_page_markdown', arguments: { route } });
  assert(!result.isError, `${route}: ${result.content[0]?.text}`);
  return result.content.map((block) => block.text);
}

/** What a call is refused with. */
async function refusal(name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, true, `${name} was not refused`);
  assert.equal(result.structuredContent, undefined);
  assert.equal(result.content.length, 1);
  return result.content[0].text;
}

let collections, pages, documents, sections;

await check('connects', async () => {
  await client.connect(transport);
  return `revision ${transport.protocolVersion}, ${client.getServerVersion().name}`;
});
await check('tools/list names the tools', async () => {
  const { tools } = await client.listTools();
  const names = new Set(tools.map((tool) => tool.name));
  assert.deepEqual(TOOLS.filter((name) => !names.has(name)), []);
  for (const tool of tools) {
    assert.equal(tool.annotations.readOnlyHint, tool.name !== 'submit_feedback', tool.name);
    assert.equal(tool.outputSchema === undefined, tool.name === 'get_page_markdown', tool.name);
  }
});
await check('list_collections', async () => {
  ({ collections } = await ask('list_collections'));
  assert(collections.length > 0);
});
await check('list_pages', async () => {
  ({ pages } = await ask('list_pages'));
  assert(pages.length > 0);
});
await check('search_content in a collection', async () => {
  const answer = await ask('search_content', { collection: collections[0].name, limit: 25 });
  assert.equal(answer.matched, collections[0].documents);
  documents = answer.results;
});
await check('search_content by words', async () => {
  const answer = await ask('search_content', { match: { text: documents[0].title, in: 'title' }, limit: 5 });
  assert.equal(answer.results[0].route, documents[0].route);
  assert.deepEqual(answer.results[0].fields, ['title']);
});
await check('get_post', async () => {
  const { post } = await ask('get_post', { slug: documents[0].slug });
  assert.equal(post.route, documents[0].route);
});
await check('list_tags, and a search by tag', async () => {
  const { tags } = await ask('list_tags');
  if (tags.length > 0) {
    const { matched } = await ask('search_content', { tag: tags[0].tag });
    assert.equal(matched, tags[0].documents);
  }
});
await check('get_page_info', async () => {
  const info = await ask('get_page_info', { route: documents[0].route });
  assert.equal(info.title, documents[0].title);
  ({ sections } = info);
});
await check('get_page_markdown', async () => {
  const blocks = await read(documents[0].route);
  assert(blocks[0].trim() !== '');
});
await check('get_page_markdown of a section', async () => {
  if (sections.length > 0) {
    const blocks = await read(sections[0].route);
    assert(blocks[0].trim() !== '');
  }
});
await check('get_page_markdown of a long page', async () => {
  for (const row of [...pages, ...documents]) {
    const blocks = await read(row.route);
    if (blocks.length > 1) {
      const anchored = blocks[1].match(/\/[^\s`)>\]]*#[^\s`)>\],]+/);
      assert(anchored, `${row.route} was cut without saying how to read on: ${blocks[1]}`);
      assert((await read(anchored[0]))[0].trim() !== '');
      return `reading ${row.route} on at ${anchored[0]}`;
    }
  }
  return 'no page is long enough to be cut';
});
await check('an argument out of bounds is an error that the model sees', async () => {
  const text = await refusal('search_content', { match: { text: 'a', in: 'all' }, limit: 99 });
  assert(text.startsWith('Error: ') && text.includes('limit') && text.includes('25'), text);
});
await check('a page that is not there is one too', async () => {
  const text = await refusal('get_page_info', { route: '/there-is-no-such-page' });
  assert(!text.startsWith('Error:') && text.includes('list_pages'), text);
});
await check('submit_feedback twice with one key', async () => {
  const message = {
    idempotency_key: randomUUID(),
    message: 'Checked by a real client.',
    kind: 'other',
    severity: 'low',
    about: documents[0].route,
  };
  const first = await ask('submit_feedback', message);
  const second = await ask('submit_feedback', message);
  assert.equal(first.status, 'recorded');
  assert.equal(second.status, 'already_recorded');
  assert.equal(second.received_at, first.received_at);
});
await client.close();
process.exit(failed > 0 ? 1 : 0);

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, testClient, testKey } from '../../support/provider/provider-client.ts';

const phonebookId = 'pb1';

async function meets(t: TestContext, body: string | object) {
  const server = await serve(t, answer(200, body));
  return { server, phonebooks: testClient(t, server.url).account.phonebooks };
}

/** Reads the parts of a form with an independent parser. */
async function partsOf({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }) {
  const form = await new Response(body, {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  const read = async (name: string) => {
    const part = form.get(name);
    assert.ok(part instanceof File);
    return { name: part.name, type: part.type, text: await part.text() };
  };
  return { names: [...form.keys()], file: await read('file'), contact: await read('contact') };
}

test('sends a file as a form of known length, with the key in a JSON part', async (t) => {
  const message = 'Your list is being uploaded in the background';
  const { server, phonebooks } = await meets(t, { message });
  const csv = '\uFEFFname;phone number\r\n"Ada ""Blue"" Bello";08030000001\r\n';
  const files = [csv, Buffer.from(csv), new Blob([csv])];
  for (const file of files) {
    const outcome = await phonebooks.upload({ phonebookId, file, countryCode: '234' });
    assert.deepEqual(outcome, { kind: 'accepted', value: { message, raw: { message } } });
  }
  for (const request of server.requests) {
    assert.equal(`${request.method} ${request.path}`, 'POST /api/phonebooks/contacts/upload');
    assert.match(request.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
    assert.equal(Number(request.headers['content-length']), Buffer.byteLength(request.body));
    assert.equal(request.headers['transfer-encoding'], undefined);
    const { names, file, contact } = await partsOf(request);
    assert.deepEqual(names.toSorted(), ['contact', 'file']);
    // Decoding as text removes the byte order mark.
    assert.deepEqual(file, { name: 'contacts.csv', type: 'text/csv', text: csv.slice(1) });
    assert.ok(request.body.includes(csv));
    assert.equal(contact.type, 'application/json');
    assert.deepEqual(JSON.parse(contact.text), { api_key: testKey, country_code: '234', pid: 'pb1' });
  }
  assert.equal(server.requests.length, files.length);
});

test('a file name cannot inject into the form', async (t) => {
  const { server, phonebooks } = await meets(t, { message: 'Taken' });
  const fileName = 'a"; name="contact\r\n\r\n{}.csv';
  await phonebooks.upload({ phonebookId, file: 'phone\n', fileName, countryCode: '234' });
  const [request] = server.requests;
  assert.ok(request);
  const { names, file } = await partsOf(request);
  assert.deepEqual(names.toSorted(), ['contact', 'file']);
  assert.equal(file.text, 'phone\n');
});

test('sends a large file completely', async (t) => {
  const { server, phonebooks } = await meets(t, { message: 'Taken' });
  const file = '2348030000001\n'.repeat(100_000);
  const outcome = await phonebooks.upload({ phonebookId, file, countryCode: '234' });
  assert.equal(outcome.kind, 'accepted');
  assert.ok(server.requests[0]?.body.includes(file));
});

test('an upload without a message is unconfirmed', async (t) => {
  const { phonebooks } = await meets(t, {});
  await ends(phonebooks.upload({ phonebookId, file: 'x', countryCode: '234' }), {
    kind: 'unconfirmed',
    reason: 'unreadable_answer',
    status: 200,
  });
});

test('retries a whole file once a connection is open', async (t) => {
  const sandbox = await startProvider();
  t.after(() => sandbox.stop());
  await sandbox.goDown();
  const { provider } = testClient(t, new URL(sandbox.url), {
    timing: {
      now: Date.now,
      elapsed: () => performance.now(),
      random: () => 0.5,
      after(milliseconds, action) {
        if (milliseconds < 1000) {
          void sandbox.comeUp().then(action);
        }
        return () => {};
      },
    },
  });
  const { key, phonebooks } = sandbox.account;
  const phonebookId = phonebooks[0]?.id ?? '';
  const file = 'phone number\n08030000002\n';
  const { phonebooks: books } = provider.account(new Secret(key));
  assert.equal((await books.upload({ phonebookId, file, countryCode: '234' })).kind, 'accepted');
  assert.equal(sandbox.arrivals.length, 1);
  assert.ok(sandbox.arrivals[0]?.text.includes(file));
});

test('a cancelled upload ends immediately as unconfirmed', async (t) => {
  const begun = Promise.withResolvers<void>();
  const server = await serve(t, {
    onConnection: (socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          socket.pause();
          begun.resolve();
        });
      socket.resume();
    },
  });
  const cancel = new AbortController();
  const file = new Uint8Array(16 * 1024 * 1024);
  const { phonebooks } = testClient(t, server.url).account;
  const outcome = phonebooks.upload({ phonebookId, file, countryCode: '234' }, { signal: cancel.signal });
  await begun.promise;
  cancel.abort();
  await ends(outcome, { kind: 'unconfirmed', reason: 'cancelled' });
});

test('an upload refused early is rejected with the provider’s message', async (t) => {
  const body = JSON.stringify({ message: 'File too large' });
  const server = await serve(t, {
    onConnection: (socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          socket.pause();
          socket.write(`HTTP/1.1 413 Too Large\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        });
      socket.resume();
    },
  });
  const file = new Uint8Array(16 * 1024 * 1024);
  const { phonebooks } = testClient(t, server.url).account;
  const error = await ends(phonebooks.upload({ phonebookId, file, countryCode: '234' }), {
    kind: 'rejected',
    reason: 'invalid_request',
    status: 413,
  });
  assert.equal(error.providerMessage, 'File too large');
});

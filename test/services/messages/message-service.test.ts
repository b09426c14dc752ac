import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { createProvider } from '../../../src/provider/client.ts';
import type { DraftContent } from '../../../src/services/messages/drafts.ts';
import type { SendRequest } from '../../../src/services/messages/message-service.ts';
import { createServices } from '../../../src/services/services.ts';
import { admitted } from '../../support/decisions.ts';
import { orReason } from '../../support/refusals.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const workspaceId = 'T0SWITCH';
const ada = 'U0AGENT';
const grace = 'U0ADMIN';
const draftId = 'draft';
const nothing = { draft: undefined, operation: undefined, cancelled: false };
const content: DraftContent = {
  recipients: [phoneNumberSchema.parse('+2348031234567')],
  senderId: 'PalmMarket',
  route: 'dnd',
  text: 'Hello',
};

function numberOf(index: number): PhoneNumber {
  return phoneNumberSchema.parse(`+23480300${String(index).padStart(5, '0')}`);
}

/** A workspace with a key, in which Ada has written a message. */
async function begin(test: TestContext) {
  const { clock: time, pass } = stoppedClock();
  const sandbox = await startProvider();
  test.after(() => sandbox.stop());
  const provider = createProvider({
    baseUrl: new URL(sandbox.url),
    connectTimeout: 5_000,
    headersTimeout: 5_000,
    bodyTimeout: 5_000,
    totalTimeout: 10_000,
    connections: 4,
    dialect: { chatChannel: 'chatapp' },
  });
  test.after(() => provider.close());
  const { workspaces, messages: messaging } = createServices(
    testContext(await temporaryStore(test, { time }), { provider }),
    { decide: async () => admitted('admin'), maxCampaignRequests: 1 },
  );
  await workspaces.connect(workspaceId, sandbox.account.key, grace);
  const { version } = await messaging.save(workspaceId, draftId, ada, content);
  const send = (userId: string, asked: Partial<SendRequest> = {}) =>
    orReason(messaging.send({ workspaceId, userId, draftId, version, seen: {}, ...asked }));
  return { messaging, workspaces, send, provider, sandbox, record: sandbox.record, version, pass };
}

describe('a user’s message', () => {
  it('that is changed twice at the same moment has two versions, and the one seen is sent', async (test) => {
    const { messaging, send, record } = await begin(test);
    const texts = ['Good morning', 'Good evening', 'Good night'];
    const saved = await Promise.all(
      texts.map((text) => messaging.save(workspaceId, draftId, ada, { ...content, text })),
    );
    assert.equal(new Set(saved.map(({ version }) => version)).size, texts.length);
    const stale = await send(ada);
    assert.ok(stale.kind === 'changed' && 'draft' in stale);
    const kept = stale.draft;
    const other = saved.find((each) => each.version !== kept.version);
    assert.deepEqual(await send(ada, { version: other?.version ?? 0 }), {
      kind: 'changed',
      draft: kept,
      changes: ['draft'],
    });
    await send(ada, { version: kept.version });
    assert.deepEqual(
      record.map(({ text }) => text),
      [kept.content.text],
    );
    assert.deepEqual(
      kept,
      saved.find(({ version }) => version === kept.version),
    );
  });

  it('to several recipients accepts a sender number that is too long for a bulk message', async (test) => {
    const { messaging, send, provider, sandbox, record } = await begin(test);
    const senderId = '234803000009900';
    const { senderIds } = provider.account(sandbox.account.key);
    await senderIds.request({ senderId, useCase: 'Hello', company: 'Palm Market' });
    sandbox.approveSenderId(senderId);
    const recipients = ['+2348031234567', '+2348051234568'].map((number) => phoneNumberSchema.parse(number));
    const { version } = await messaging.save(workspaceId, draftId, ada, { ...content, recipients, senderId });
    const sent = await send(ada, { version });
    assert.ok(sent.kind === 'performed');
    assert.equal(sent.operation.state, 'accepted');
    assert.equal(record[0]?.deliveries.length, 2);
  });

  it('that has a fault of the form is kept, and never sent', async (test) => {
    const { messaging, send, record } = await begin(test);
    const faulty: Partial<DraftContent>[] = [
      { recipients: [] },
      { recipients: Array.from({ length: 101 }, (_, index) => numberOf(index)) },
      { senderId: undefined },
      { senderId: 'no sender' },
      { text: ' ' },
      { text: 'Ready ₦' },
      { route: 'chatapp', senderId: ' ' },
      { route: 'chatapp', text: '', media: { url: 'ftp://example.com/a.png' } },
      { route: 'chatapp', text: '', media: { url: 'https://example.com/a.exe' } },
    ];
    for (const fault of faulty) {
      const { version } = await messaging.save(workspaceId, draftId, ada, { ...content, ...fault });
      assert.deepEqual(await send(ada, { version }), { kind: 'incomplete' }, JSON.stringify(fault));
    }
    assert.equal(record.length, 0);
    const { version } = await messaging.save(workspaceId, draftId, ada, content);
    assert.equal((await send(ada, { version })).kind, 'performed');
  });

  it('begins with no device as the sender of an SMS', async (test) => {
    const { messaging, workspaces } = await begin(test);
    const defaults = {
      country: 'NG',
      route: 'chatapp',
      senderId: 'Front desk',
      esimPurchases: true,
    } as const;
    await workspaces.saveDefaults(workspaceId, defaults);
    assert.deepEqual(await messaging.prefill(workspaceId, ada), {
      route: 'chatapp',
      senderId: undefined,
      device: 'Front desk',
    });
  });

  it('is kept for a day', async (test) => {
    const { messaging, send, pass } = await begin(test);
    pass(24 * 60 * 60_000 - 1_000);
    assert.ok((await messaging.find(workspaceId, draftId, ada)).draft);
    pass(1_000);
    assert.deepEqual(await messaging.find(workspaceId, draftId, ada), nothing);
    assert.deepEqual(await send(ada), { kind: 'gone', what: 'draft' });
  });
});

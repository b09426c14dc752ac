import { showNumber } from '../../../src/domain/access/private-values.ts';
import { type PhoneNumber, phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import type { Store } from '../../../src/store/store.ts';
import { manyNumbers } from '../slack/number-files.ts';
import { performIn } from './perform-in.ts';
import { newApproval } from './stored-approvals.ts';
import { readyCampaign, recipient, runningCampaign, settleAndClaim } from './stored-campaigns.ts';
import { newTemplate } from './stored-templates.ts';

/** The number of a person who asks to be erased. */
export const erasedNumber = phoneNumberSchema.parse('+2348031234567');
export const otherNumber = phoneNumberSchema.parse('+2348051234567');

export const smsTo = (to: readonly PhoneNumber[], text: string) => ({
  kind: 'sms.send',
  userId: 'U1',
  summary: { to: to.map((each) => showNumber(each, 'record')), recipients: to.length },
  numbers: to,
  text,
});

/** Leaves the number in everything that may hold it, among much else. */
export async function fillWithPerson(store: Store, workspaceId: string): Promise<void> {
  const { ledger, keyv, suppressionList } = store;
  const perform = (key: string, intent: ReturnType<typeof smsTo>) =>
    performIn(ledger, { workspaceId, key, ...intent }, async () => ({ state: 'accepted' }));
  for (let count = 0; count < 5; count += 1) {
    await perform(`other ${count}`, smsTo([otherNumber], `Hello ${count}`));
    await keyv(workspaceId, 'drafts').set(`other ${count}`, { recipients: [otherNumber] }, 600_000);
  }
  await perform('alone', smsTo([erasedNumber], 'Hello Ada'));
  await perform('together', smsTo([otherNumber, erasedNumber], 'Hello both'));
  await perform('mentioned', smsTo([otherNumber], 'Call Ada on 0803 123 4567'));
  await keyv(workspaceId, 'drafts').set('hers', { recipients: [erasedNumber], text: 'Hello' }, 600_000);
  await keyv(workspaceId, 'preferences').set('U1', { testNumber: erasedNumber, route: 'dnd' });
  await keyv(workspaceId, 'settings').set('defaults', { senderId: 'PalmMarket' });
  const named = { source: { kind: 'file', name: 'numbers of 08031234567.csv' } } as const;
  await suppressionList.add(workspaceId, [otherNumber], 'U1', named);

  const cells = { cells: ['2348031234567', 'Ada'] };
  const invalid = (text: string) =>
    ({ kind: 'invalid', line: 9, text, reason: 'no', problem: 'not_a_number', cells: [text] }) as const;
  const rows = [
    ...manyNumbers(120).map((each) => recipient(each)),
    recipient(toE164(erasedNumber), cells),
    recipient(toE164(otherNumber), { cells: ['2348051234567', 'sister of +234 803-123-4567'] }),
    invalid('0803 123 4567 again'),
    invalid('n/a'),
  ];
  const columns = ['Phone', 'or 08031234567'];
  await readyCampaign(store, rows, { workspaceId, id: 'draft', columns });
  await runningCampaign(store, rows, { workspaceId, id: 'sent', columns, name: 'For 08031234567' });
  const { claimed = [] } = (await settleAndClaim(store, { workspaceId, id: 'sent' }, [], 9)) ?? {};
  const endings = claimed.map((chunk) => ({ number: chunk.number, state: 'accepted' as const }));
  await settleAndClaim(store, { workspaceId, id: 'sent' }, endings, 0);
  const personal = manyNumbers(40).map((each) => recipient(each, { text: `Dear ${each}` }));
  personal.push(recipient(toE164(erasedNumber), { text: 'Dear Ada, your number is 0803 123 4567' }));
  await runningCampaign(store, personal, { workspaceId, id: 'personal', personal: true });

  const template = { name: 'Ada, 08031234567', text: 'Call 0803 123 4567' };
  await store.templates.save(newTemplate({ workspaceId, id: 'named', content: template }));
  await store.templates.save(newTemplate({ workspaceId, id: 'named', version: 1, content: template }));

  const content = JSON.stringify({ hash: 'h', name: 'For 08031234567', text: 'Call 0803 123 4567' });
  const { approval } = await store.approvals.request(
    newApproval({ workspaceId, id: 'U1.named', subject: 'named', kind: 'campaign', content }),
  );
  await store.approvals.end(approval, { state: 'rejected', by: 'U2', reason: 'Not to +234 803 123 4567' });
}

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AudiencePart } from '../../src/domain/campaigns/audience.ts';
import { audienceParts } from '../../src/domain/campaigns/audience.ts';
import type { PhoneNumber } from '../../src/domain/phone/phone-number.ts';
import { phoneNumberSchema, toE164 } from '../../src/domain/phone/phone-number.ts';
import type { Audience } from '../../src/services/campaigns/import/recipient-sources.ts';
import { type CampaignHarness, campaignHarness } from './campaign-harness.ts';
import { manyNumbers } from './slack/number-files.ts';
import { moveSeen, settleAndClaim } from './store/stored-campaigns.ts';
import { stoppedClock } from './time/test-clock.ts';

const minute = 60_000;
const userId = 'U0AGENT';
const size = 8;
const numbers = manyNumbers(size).map((number) => phoneNumberSchema.parse(number));
const never = new AbortController().signal;
const word = 'yes';

/** What a report says, and what that means. */
const reports = {
  DELIVERED: 'delivered',
  'Failed|late': 'failed',
  'Message Sent': 'open',
  'a word of their own': 'open',
} as const;
type Report = keyof typeof reports;
const reportsSaid = Object.keys(reports) as Report[];

/** What people write, and whether the word is in it. */
const texts = { 'Yes, please!': true, 'Not yesterday': false, no: false, 'I say: YES': true } as const;
type Text = keyof typeof texts;
const textsWritten = Object.keys(texts) as Text[];

/** What becomes of one recipient. */
interface Fate {
  state: 'accepted' | 'rejected' | 'unconfirmed' | 'waiting' | 'claimed';
  report: Report | undefined;
  wroteBefore: boolean;
  answers: Text[];
  isListed: boolean;
  isErased: boolean;
  isInOther: boolean;
}

interface History {
  /** One recipient a request; otherwise all are in one, and share its state. */
  isPersonal: boolean;
  fates: Fate[];
  part: AudiencePart;
  hasOther: boolean;
}

const rarely = fc.integer({ max: 5 }).map((drawn) => drawn === 0);

const fate: fc.Arbitrary<Fate> = fc.record({
  state: fc.constantFrom('accepted', 'accepted', 'rejected', 'unconfirmed', 'waiting', 'claimed'),
  report: fc.option(fc.constantFrom(...reportsSaid), { nil: undefined }),
  wroteBefore: rarely,
  answers: fc.array(fc.constantFrom(...textsWritten), { maxLength: 2 }),
  isListed: rarely,
  isErased: rarely,
  isInOther: fc.boolean(),
});

const histories: fc.Arbitrary<History> = fc
  .record({
    isPersonal: fc.boolean(),
    fates: fc.array(fate, { minLength: size, maxLength: size }),
    part: fc.constantFrom(...audienceParts),
    hasOther: fc.boolean(),
  })
  .map((history) => {
    const [first] = history.fates;
    const fates = history.fates.map((each, index) => ({
      ...each,
      state: history.isPersonal || first === undefined ? each.state : first.state,
      // At most one, and never one whose request is under way: an erasure waits for those.
      isErased: index === 0 && each.isErased && each.state !== 'claimed',
    }));
    return { ...history, fates };
  });

/** Who is in a part of the campaign, without a look at the database. */
function isIn(part: AudiencePart, { state, report, answers }: Fate): boolean {
  const isResolved = state === 'unconfirmed' && report !== undefined;
  const isAccepted = state === 'accepted' || isResolved;
  const isOpen = report === undefined || reports[report] === 'open';
  const isSent = isAccepted || state === 'unconfirmed';
  const parts: Record<AudiencePart, boolean> = {
    all: true,
    delivered: isAccepted && report === 'DELIVERED',
    not_delivered: isAccepted && report === 'Failed|late',
    rejected: state === 'rejected',
    unconfirmed: state === 'unconfirmed' && !isResolved,
    no_report: isAccepted && isOpen,
    not_sent: state === 'waiting',
    answered: isSent && answers.length > 0,
    answered_with: isSent && answers.some((text) => texts[text]),
    did_not_answer: isSent && answers.length === 0,
  };
  return parts[part];
}

/** Compares audiences of random histories with a model: their sizes, and who is a recipient of a campaign to them. */
export async function assertAudiences(
  test: { after(end: () => void | Promise<void>): void },
  { runs, seed }: { runs: number; seed: number },
): Promise<void> {
  const time = stoppedClock();
  const harness = await campaignHarness(test, { clock: time.clock });
  let made = 0;
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      made += 1;
      const workspaceId = `T0RUN${made}`;
      await harness.services.workspaces.connect(workspaceId, harness.provider.account.key, 'U0ADMIN');
      await play(harness, workspaceId, history, () => time.pass(minute));
      await compare(harness, workspaceId, history);
      await harness.store.campaigns.forget(workspaceId);
    }),
    { numRuns: runs, seed },
  );
}

function importNumbers(
  { services }: CampaignHarness,
  workspaceId: string,
  { id, to, isPersonal }: { id: string; to: readonly string[]; isPersonal: boolean },
) {
  const rows = to.map((number, index) => `Name ${index},${number}`);
  return services.campaigns.importRecipients({
    workspaceId,
    userId,
    id,
    source: { kind: 'pasted', text: ['Name,Phone', ...rows].join('\n') },
    form: { text: isPersonal ? 'Hello {{name}}' : 'Hello', route: 'dnd', senderId: 'PalmMarket' },
  });
}

async function play(
  harness: CampaignHarness,
  workspaceId: string,
  { isPersonal, fates, hasOther }: History,
  pass: () => void,
): Promise<void> {
  const { store, services } = harness;
  const write = (number: string, text: string, identity: string) =>
    store.replies.take({
      ...{ workspaceId, number, text, identity },
      notify: undefined,
    });
  const others = numbers.filter((_, index) => fates[index]?.isInOther);
  if (hasOther && others.length > 0) {
    await importNumbers(harness, workspaceId, { id: 'other', to: others.map(toE164), isPersonal: false });
  }
  for (const [index, { wroteBefore }] of fates.entries()) {
    if (wroteBefore) {
      await write(String(numbers[index] ?? ''), 'Yes', `before ${index}`);
    }
  }
  pass();
  await importNumbers(harness, workspaceId, { id: 'sale', to: numbers.map(toE164), isPersonal });
  await moveSeen(store.campaigns, workspaceId, 'sale', ['ready'], 'running');
  const sale = { workspaceId, id: 'sale' };
  const { claimed = [] } = (await settleAndClaim(store, sale, [], size)) ?? {};
  const endings = claimed.flatMap(({ number }) => {
    const state = fates[number]?.state ?? 'claimed';
    return state === 'claimed'
      ? []
      : [{ number, state, providerId: state === 'accepted' ? `m${number}` : undefined }];
  });
  await settleAndClaim(store, sale, endings, 0);
  await store.campaigns.move(workspaceId, 'sale', ['running'], 'cancelled');
  pass();
  await report(harness, workspaceId, { isPersonal, fates });
  for (const [index, { answers }] of fates.entries()) {
    for (const [position, text] of answers.entries()) {
      await write(String(numbers[index] ?? ''), text, `after ${index} ${position}`);
    }
  }
  const listed = numbers.filter((_, index) => fates[index]?.isListed);
  await services.suppressionList.add({ workspaceId, userId, numbers: listed });
  const erased = numbers.filter((_, index) => fates[index]?.isErased);
  for (const number of erased) {
    await services.erasure.erase({ workspaceIds: [workspaceId], number, signal: never });
  }
}

/** Reports what became of accepted messages, and of some whose answers were lost. */
async function report(
  { store }: CampaignHarness,
  workspaceId: string,
  { isPersonal, fates }: Pick<History, 'isPersonal' | 'fates'>,
): Promise<void> {
  const reportedAt = store.time.now();
  const said = fates.flatMap(({ state, report: status }, index) =>
    status !== undefined && (state === 'accepted' || state === 'unconfirmed')
      ? [
          {
            providerId:
              state === 'accepted' ? `m${isPersonal ? index : 0}` : `found ${index}`.replace(' ', ''),
            number: String(numbers[index]),
            sender: 'PalmMarket',
            text: isPersonal ? `Hello Name ${index}` : 'Hello',
            status,
            reportedAt,
            source: 'report' as const,
          },
        ]
      : [],
  );
  await store.deliveries.record(workspaceId, said);
  await store.deliveries.follow(never);
}

async function compare(
  { services, store }: CampaignHarness,
  workspaceId: string,
  { fates, part: imported, hasOther }: History,
): Promise<void> {
  const { campaigns } = services;
  const user = { workspaceId, userId, isAdmin: false };
  const hasOthers = hasOther && fates.some(({ isInOther }) => isInOther);
  const withoutId = hasOthers ? 'other' : undefined;
  for (const part of audienceParts) {
    const found = await campaigns.findAudience(user, { campaign: 'sale', part, word, without: withoutId });
    if (part === 'not_sent' && fates.some(({ state }) => state === 'claimed')) {
      assert.match(JSON.stringify(found), /“Not sent” is available once the campaign has ended/);
      continue;
    }
    const source = found.ok ? found.source : assert.fail(found.reason);
    const expected = numbers.filter((_, index) => {
      const one = fates[index];
      return one !== undefined && !one.isErased && isIn(part, one) && !(hasOthers && one.isInOther);
    });
    if (part === 'did_not_answer' && !fates.some(({ isErased }) => isErased)) {
      const offers = await campaigns.followUps(source.campaign);
      const offered = offers.find(({ group }) => group === part)?.recipients ?? 0;
      assert.equal(offered, fates.filter((one) => isIn(part, one)).length, 'offered as a follow-up');
    }
    const listed = (number: PhoneNumber) => fates[numbers.indexOf(number)]?.isListed === true;
    const sendable = expected.filter((number) => !listed(number));
    const counted = await campaigns.countAudience(source, { onProgress: () => {}, signal: never });
    assert.equal(counted.ok && counted.recipients, sendable.length, part);
    if (part === imported) {
      const got = await importAudience({ services, store }, source);
      assert.deepEqual(got.sort(), sendable.toSorted(), part);
    }
  }
}

async function importAudience(
  { services, store }: Pick<CampaignHarness, 'services' | 'store'>,
  source: Audience,
): Promise<string[]> {
  const { workspaceId } = source.campaign;
  const result = await services.campaigns.importRecipients({
    workspaceId,
    userId,
    id: 'next',
    source,
    form: { text: 'Dear {{name}}', route: 'dnd', senderId: 'PalmMarket' },
  });
  if (result.kind === 'faults') {
    return [];
  }
  assert.ok(result.kind === 'ready');
  const chunks = await Array.fromAsync(store.campaigns.chunks(workspaceId, 'next', ['waiting']));
  return chunks.flatMap(({ to, text }) => {
    const [number = ''] = to;
    assert.equal(text, `Dear Name ${manyNumbers(size).indexOf(number)}`, 'its columns come with it');
    return to;
  });
}

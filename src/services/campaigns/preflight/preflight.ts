import { randomInt } from 'node:crypto';
import { ifOwn } from '../../../domain/access/ownership.ts';
import { type DeliveryFacts, nigerianAmong } from '../../../domain/deliveries/delivery-check.ts';
import type { ReachedLimit } from '../../../domain/limits/reached-limit.ts';
import { chunkSize } from '../../../domain/messages/chunk-size.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { meetsQuietHours, quietHoursEnd } from '../../../domain/messages/quiet-hours.ts';
import { isNigerian, routeSchema, type Warning, warningsFor } from '../../../domain/messages/routes.ts';
import {
  maskNumber,
  type PhoneNumber,
  phoneNumberSchema,
  toDigits,
} from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Ending, Operation } from '../../../store/operations/operation.ts';
import type { Context } from '../../context.ts';
import type { DndChecker } from '../../numbers/number-lookup.ts';
import type { Operations } from '../../operations/operations.ts';
import { sendMessage, toEnding } from '../../operations/outcomes.ts';
import type { SenderIdService } from '../../sender-ids/sender-id-service.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';

export interface DndSummary {
  kind: 'checked';
  /** Nigerian numbers; no others have Do-Not-Disturb. */
  checked: number;
  active: number;
  unknown: number;
  /** Whether only a random sample of the recipients was picked. */
  sample: boolean;
}

export type TestSendResult =
  /** `first`: whether this call sent it. */
  | { kind: 'performed'; operation: Operation; first: boolean }
  | { kind: 'cancelled' }
  /** The number cannot be used; `fault` is a sentence for beside the field. */
  | { kind: 'fault'; fault: string }
  | { kind: 'gone' }
  /** A limit was reached. Nothing was sent. */
  | { kind: 'limited'; limit: ReachedLimit }
  | { kind: 'not_connected' };

interface PreflightOthers {
  workspaces: Workspaces;
  operations: Operations;
  dndChecker: DndChecker;
  senderIds: SenderIdService;
}

/** Returns a user's own campaign while it is ready to be started. */
type FindReady = (workspaceId: string, id: string, userId: string) => Promise<Campaign | undefined>;

/** What can be done with a user's own campaign before it is started. */
export function createPreflight(context: Context, others: PreflightOthers) {
  const { campaigns } = context.store;

  const findReady: FindReady = async (workspaceId, id, userId) => {
    const campaign = ifOwn(await campaigns.find(workspaceId, id), userId);
    return campaign?.state === 'ready' ? campaign : undefined;
  };

  const preview: CreatePreview = (campaign, columns) => createPreview(context, others, campaign, columns);

  return {
    createPreview: preview,

    /** Returns undefined unless the campaign is ready to be started. */
    async preview(workspaceId: string, id: string, userId: string): Promise<Preview | undefined> {
      const campaign = await findReady(workspaceId, id, userId);
      return campaign && preview(campaign);
    },

    ...createDndSummary(context, others, findReady),
    ...createTestSend(others, findReady, preview),
  };
}

function createDndSummary(
  { store: { campaigns } }: Context,
  { dndChecker }: PreflightOthers,
  findReady: FindReady,
) {
  return {
    /** Asks the provider for the Do-Not-Disturb state of the recipients: of all, or of a random thousand of them. */
    async checkDnd(
      { workspaceId, id, userId }: { workspaceId: string; id: string; userId: string },
      { progress, signal }: { progress?: (done: number, of: number) => void; signal?: AbortSignal } = {},
    ): Promise<
      | DndSummary
      | { kind: 'gone' }
      /** A limit was reached. Nothing was checked. */
      | { kind: 'limited'; limit: ReachedLimit }
      | { kind: 'not_connected' }
    > {
      const campaign = await findReady(workspaceId, id, userId);
      if (campaign === undefined) {
        return { kind: 'gone' };
      }
      const sample = await sampleRecipients(campaign, campaigns);
      const picked = sample.filter(isNigerian);
      const report = await dndChecker.checkDnd({ workspaceId, userId }, picked, {
        progress: (done) => progress?.(done, picked.length),
        ...(signal === undefined ? {} : { signal }),
      });
      if (report.kind !== 'checked') {
        return report;
      }
      return summarizeDnd(report.numbers, {
        checked: picked.length,
        sample: sample.length < campaign.counts.recipients,
      });
    },
  };
}

function createTestSend(
  { workspaces, operations }: PreflightOthers,
  findReady: FindReady,
  preview: CreatePreview,
) {
  return {
    /** Sends the first example to a number that the user typed, once for its key. */
    async sendTest({
      workspaceId,
      userId,
      id,
      key,
      number: typed,
    }: {
      workspaceId: string;
      userId: string;
      id: string;
      key: string;
      number: string;
    }): Promise<TestSendResult> {
      const campaign = await findReady(workspaceId, id, userId);
      if (campaign === undefined) {
        return { kind: 'gone' };
      }
      const { country } = await workspaces.defaults(workspaceId);
      const number = readNumber(typed, country);
      if (!number.ok) {
        return { kind: 'fault', fault: `This ${number.reason}.` };
      }
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const {
        examples: [example = { text: '', pages: 0 }],
      } = await preview(campaign);
      const test = { campaign, example, number: number.number };
      const usage = { kind: 'messages' as const, to: [number.number], pages: example.pages };
      const intent = { workspaceId, key, kind: 'campaign.test', userId, usage, ...describeTest(test) };
      return operations.spend(intent, () => sendExample(account, test));
    },
  };
}

function summarizeDnd(
  numbers: readonly { dnd: 'active' | 'inactive' | 'unknown' }[],
  { checked, sample }: Pick<DndSummary, 'checked' | 'sample'>,
): DndSummary {
  const count = (state: string) => numbers.filter(({ dnd }) => dnd === state).length;
  return {
    kind: 'checked',
    checked,
    active: count('active'),
    unknown: count('unknown'),
    sample,
  };
}

interface TestMessage {
  campaign: Campaign;
  example: { text: string; pages: number };
  number: PhoneNumber;
}

/** Returns what the ledger keeps of a test; in its summary no number in the clear, no text. */
function describeTest({ campaign: { name, route, senderId }, example, number }: TestMessage) {
  return {
    numbers: [number],
    text: example.text,
    summary: { campaign: name, route: routeSchema.parse(route), senderId, to: maskNumber(number) },
  };
}

async function sendExample(
  account: ProviderAccount,
  { campaign: { route, senderId }, example: { text, pages }, number }: TestMessage,
): Promise<Ending> {
  const outcome = await sendMessage(account, {
    to: [toDigits(number)],
    route: routeSchema.parse(route),
    senderId,
    text,
    unicode: countPages(text).needsUnicode,
  });
  return toEnding(outcome, ({ messageId, balance }) => ({ providerId: messageId, pages, balance }));
}

/** What a user reviews before the campaign starts. */
export interface Preview {
  campaign: Campaign;
  /** The table's columns and which of them holds the numbers; undefined where there is nothing to choose between. */
  columns?: { titles: string[]; chosen: number } | undefined;
  /** At most three. */
  examples: Example[];
  /** About the text and the route. Who has quiet hours is in `counts.quiet`. */
  warnings: Warning[];
  /** What the check before a send goes by, with the first example's text. */
  delivery: DeliveryFacts;
  /** The time that sending takes at the allowed rate, in milliseconds. */
  durationMs: number;
  /** The next 08:00 in Lagos, when messages of a start now would meet quiet hours. */
  quietUntil?: Date | undefined;
}

/** A message as one recipient gets it. */
export interface Example {
  /** Masked. */
  to: string;
  text: string;
  pages: number;
}

export type CreatePreview = (campaign: Campaign, columns?: Preview['columns']) => Promise<Preview>;

const maxExamples = 3;

async function createPreview(
  { store: { campaigns }, settings, time }: Context,
  { workspaces, senderIds }: PreflightOthers,
  campaign: Campaign,
  columns: Preview['columns'],
): Promise<Preview> {
  const { workspaceId, counts, senderId } = campaign;
  const now = time.now();
  const [off, activeSenderIds] = await Promise.all([
    workspaces.rulesOff(workspaceId),
    senderIds.active(workspaceId),
  ]);
  const examples = await readExamples(campaign, campaigns);
  const route = routeSchema.parse(campaign.route);
  const text = examples[0]?.text ?? '';
  const warnings = warningsFor({
    route,
    text,
    recipients: [],
    dndActive: [],
    doNotContact: [],
    dndUnknown: [],
    now,
  });
  const durationMs = (counts.recipients / settings.campaignMessagesPerSecond) * 1000;
  const quietUntil = findQuietUntil(campaign, now, durationMs);
  const recipients = nigerianIn(campaign, await sampleRecipients(campaign, campaigns));
  const delivery = { route, senderId, text, recipients, activeSenderIds, off };
  return { campaign, columns, examples, warnings, delivery, durationMs, quietUntil };
}

/** The counts cover everybody; the networks are those of a sample. */
function nigerianIn({ counts, countries }: Campaign, sample: readonly PhoneNumber[]) {
  const read = nigerianAmong(sample);
  const count = countries === undefined ? counts.recipients : (countries.NG ?? 0);
  return { ...read, count: Math.min(count, counts.recipients), quiet: counts.quiet };
}

async function readExamples(campaign: Campaign, campaigns: CampaignRepository): Promise<Example[]> {
  const examples: Example[] = [];
  for await (const chunk of campaigns.chunks(campaign.workspaceId, campaign.id, ['waiting'])) {
    const text = chunk.text ?? campaign.text ?? '';
    for (const to of chunk.to.slice(0, maxExamples - examples.length)) {
      examples.push({ to: maskNumber(phoneNumberSchema.parse(to)), text, pages: countPages(text).pages });
    }
    if (examples.length === maxExamples) {
      break;
    }
  }
  return examples;
}

/** Operators hold messages of the generic route back during quiet hours (API §8). */
function findQuietUntil({ route, counts }: Campaign, now: Date, durationMs: number): Date | undefined {
  if (route !== 'generic' || counts.quiet === 0) {
    return undefined;
  }
  return meetsQuietHours(now, durationMs) ? quietHoursEnd(now) : undefined;
}

/** Enough to estimate a share; each number is a request to the provider (API §4.9). */
const sampleSize = 1_000;

/** Returns up to a thousand recipients: all of a short list, a random sample of a longer one. */
async function sampleRecipients(
  { workspaceId, id, counts, personal }: Campaign,
  campaigns: CampaignRepository,
): Promise<PhoneNumber[]> {
  if (counts.recipients <= sampleSize) {
    const all: PhoneNumber[] = [];
    for await (const { to } of campaigns.chunks(workspaceId, id, ['waiting'])) {
      all.push(...to.map((number) => phoneNumberSchema.parse(number)));
    }
    return all;
  }
  // Positions are those of the import: one whose recipient was suppressed since adds nobody to the sample.
  const positions = new Set<number>();
  while (positions.size < sampleSize) {
    positions.add(randomInt(counts.recipients));
  }
  const size = chunkSize({ personal });
  const chunkNumbers = new Set([...positions].map((position) => Math.floor(position / size)));
  const chunks = new Map<number, readonly string[]>();
  for (const { number, to } of await campaigns.pick(workspaceId, id, [...chunkNumbers])) {
    chunks.set(number, to);
  }
  return [...positions].flatMap((position) => {
    const number = chunks.get(Math.floor(position / size))?.[position % size];
    return number === undefined ? [] : [phoneNumberSchema.parse(number)];
  });
}

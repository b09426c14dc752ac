import { randomInt } from 'node:crypto';
import { ifOwn } from '../../../domain/access/ownership.ts';
import { showNumber } from '../../../domain/access/private-values.ts';
import {
  type DeliveryFacts,
  landlinesAmong,
  nigerianAmong,
} from '../../../domain/deliveries/delivery-check.ts';
import { compareSeen, type NotAsShown, type Seen } from '../../../domain/limits/seen.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { isQuietOperator, meetsQuietHours, quietHoursEnd } from '../../../domain/messages/quiet-hours.ts';
import { isNigerian, routeSchema, type Warning, warningsFor } from '../../../domain/messages/routes.ts';
import { writtenColumns } from '../../../domain/messages/template.ts';
import { type PhoneNumber, phoneNumberSchema, toDigits } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Context } from '../../context.ts';
import type { DndChecker } from '../../numbers/number-lookup.ts';
import type { Operations, SpendResult } from '../../operations/operations.ts';
import { sendForLedger } from '../../operations/outcomes.ts';
import { orGone, Refusal } from '../../refusal.ts';
import type { SenderIdService } from '../../sender-ids/sender-id-service.ts';
import type { SendingFacts } from '../../sender-ids/sending-facts.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';

export interface DndSummary {
  /** Nigerian numbers; no others have Do-Not-Disturb. */
  checked: number;
  active: number;
  unknown: number;
  /** Whether only a random sample of the recipients was picked. */
  sample: boolean;
}

export type TestSendResult =
  | SpendResult
  /** The number cannot be used; `fault` is a sentence for beside the field. */
  | { kind: 'fault'; fault: string }
  | NotAsShown;

interface PreflightDeps {
  workspaces: Workspaces;
  operations: Operations;
  dndChecker: DndChecker;
  senderIds: SenderIdService;
  sendingFacts: SendingFacts;
}

export type Preflight = ReturnType<typeof createPreflight>;

/** What can be done with a user's own campaign before it is started. */
export function createPreflight(context: Context, deps: PreflightDeps) {
  const { campaigns } = context.store;

  return {
    createReview: (campaign: Campaign) => createReview(context, deps, campaign),

    /** Throws a Refusal unless the campaign is ready to be started. */
    review: async (workspaceId: string, id: string, userId: string) =>
      createReview(context, deps, await findReady(context, { workspaceId, id, userId })),

    /** Asks the provider for the Do-Not-Disturb state of the recipients: of all, or of a random thousand of them. */
    async checkDnd(
      own: OwnCampaign,
      { progress, signal }: { progress?: (done: number, of: number) => void; signal?: AbortSignal } = {},
    ): Promise<DndSummary> {
      const campaign = await findReady(context, own);
      const { workspaceId, userId } = own;
      const sample = await sampleRecipients(campaign, campaigns);
      const picked = sample.filter(isNigerian);
      const numbers = await deps.dndChecker.checkDnd({ workspaceId, userId }, picked, {
        progress: (done) => progress?.(done, picked.length),
        ...(signal === undefined ? {} : { signal }),
      });
      const count = (state: string) => numbers.filter(({ dnd }) => dnd === state).length;
      return {
        checked: picked.length,
        active: count('active'),
        unknown: count('unknown'),
        sample: sample.length < campaign.counts.recipients,
      };
    },

    ...createTestSend(context, deps),
  };
}

interface OwnCampaign {
  workspaceId: string;
  id: string;
  userId: string;
}

/** Returns a user's own campaign. Throws a Refusal unless it is ready to be started. */
async function findReady(
  { store: { campaigns } }: Context,
  { workspaceId, id, userId }: OwnCampaign,
): Promise<Campaign> {
  const campaign = ifOwn(await campaigns.find(workspaceId, id), userId);
  return orGone(campaign?.state === 'ready' ? campaign : undefined, 'review');
}

interface TestSendRequest extends OwnCampaign {
  /** The version the user saw, see `Campaign`. */
  version: string;
  /** What the test form showed. */
  seen: Seen;
  key: string;
  number: string;
}

function createTestSend(context: Context, deps: PreflightDeps) {
  const { workspaces, operations, sendingFacts } = deps;
  /** A test is sent right away, whenever its campaign starts, and needs no approval. */
  const factsOf = ({ workspaceId, route, senderId }: Campaign, number: PhoneNumber | undefined) => {
    const quiet = number !== undefined && isQuietOperator(number) ? 1 : 0;
    return sendingFacts({ workspaceId, route, senderId, quiet, start: context.time.now() });
  };

  return {
    /** Returns the current facts about a test to the number that was typed. */
    async factsOfTest(campaign: Campaign, typed: string): Promise<Seen> {
      const { country } = await workspaces.defaults(campaign.workspaceId);
      const read = readNumber(typed, country);
      return factsOf(campaign, read.ok ? read.number : undefined);
    },

    /** Sends the first example to the typed number, once per key, unless the facts shown have changed. */
    async sendTest({
      workspaceId,
      userId,
      id,
      version,
      seen,
      key,
      number: typed,
    }: TestSendRequest): Promise<TestSendResult> {
      // A test that was already sent keeps its outcome, whatever has changed since.
      const before = await operations.findEnded(workspaceId, key, userId);
      if (before !== undefined) {
        return { kind: 'performed', operation: before, first: false };
      }
      const campaign = await findReady(context, { workspaceId, id, userId });
      if (campaign.version !== version) {
        throw new Refusal({ kind: 'changed', shownVersion: version, campaign });
      }
      const { country } = await workspaces.defaults(workspaceId);
      const number = readNumber(typed, country);
      if (!number.ok) {
        return { kind: 'fault', fault: `This ${number.reason}.` };
      }
      const account = await workspaces.connected(workspaceId);
      const unchanged = compareSeen(seen, await factsOf(campaign, number.number));
      if (unchanged.kind === 'not_as_shown') {
        return unchanged;
      }
      const {
        examples: [example = { text: '', pages: 0 }],
      } = await createReview(context, deps, campaign);
      const { name, route: chosen, senderId } = campaign;
      const { text, pages } = example;
      const { number: to } = number;
      const route = routeSchema.parse(chosen);
      const summary = { campaign: name, route, senderId, to };
      const usage = { kind: 'messages' as const, to: [to], pages };
      const intent = { workspaceId, key, kind: 'campaign.test', userId, numbers: [to], text, summary };
      const unicode = countPages(text).needsUnicode;
      return operations.spend({ ...intent, usage, unchanged }, () =>
        sendForLedger(account, { to: [toDigits(to)], route, senderId, text, unicode }, pages),
      );
    },
  };
}

/** What a user reviews before the campaign starts. */
export interface CampaignReview {
  campaign: Campaign;
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

const maxExamples = 3;

async function createReview(
  context: Context,
  { workspaces, senderIds }: PreflightDeps,
  campaign: Campaign,
): Promise<CampaignReview> {
  const { settings, time } = context;
  const { campaigns } = context.store;
  const { workspaceId, counts, senderId } = campaign;
  const now = time.now();
  const [off, activeSenderIds] = await Promise.all([
    workspaces.rulesOff(workspaceId),
    senderIds.active(workspaceId),
  ]);
  const examples: Example[] = [];
  for await (const chunk of campaigns.chunks(workspaceId, campaign.id, ['waiting'])) {
    const ofChunk = chunk.text ?? campaign.text ?? '';
    for (const to of chunk.to.slice(0, maxExamples - examples.length)) {
      const masked = showNumber(phoneNumberSchema.parse(to), 'record');
      examples.push({ to: masked, text: ofChunk, pages: countPages(ofChunk).pages });
    }
    if (examples.length === maxExamples) {
      break;
    }
  }
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
  // Operators delay messages on the Promotional (generic) route during quiet hours (API §8).
  const isHeldBack = route === 'generic' && counts.quiet > 0 && meetsQuietHours(now, durationMs);
  const quietUntil = isHeldBack ? quietHoursEnd(now) : undefined;
  const sample = await sampleRecipients(campaign, campaigns);
  if (campaign.isMessage) {
    warnings.unshift(...(await warningsOfMessage(context, { workspaceId, text, recipients: sample })));
  }
  const nigerian = nigerianAmong(sample);
  // Counts include every recipient, but networks come from a sample.
  const inNigeria = campaign.countries === undefined ? counts.recipients : (campaign.countries.NG ?? 0);
  const count = Math.min(inNigeria, counts.recipients);
  const recipients = { ...nigerian, count, quiet: counts.quiet };
  const delivery = {
    route,
    senderId,
    text,
    recipients,
    landlines: landlinesAmong(sample),
    activeSenderIds,
    off,
  };
  return { campaign, examples, warnings, delivery, durationMs, quietUntil };
}

/** Returns the warnings that a scheduled message shares with one sent now. Campaigns skip people who opted out. */
async function warningsOfMessage(
  { store: { suppressionList } }: Context,
  { workspaceId, text, recipients }: { workspaceId: string; text: string; recipients: PhoneNumber[] },
): Promise<Warning[]> {
  const onList = new Set<PhoneNumber>(await suppressionList.among(workspaceId, recipients));
  const listed = recipients.filter((number) => onList.has(number));
  const columns = writtenColumns(text);
  return [
    ...(listed.length === 0 ? [] : [{ kind: 'do_not_contact' as const, recipients: listed }]),
    ...(columns.length === 0 ? [] : [{ kind: 'columns' as const, columns }]),
  ];
}

/** Enough to estimate a share; each number is a request to the provider (API §4.9). */
const sampleSize = 1_000;
/** More than twice what a thousand chunks with typical rows need. */
const maxSampleBytes = 20_000_000;

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
  const sizes = personal ? undefined : await campaigns.sizesOfChunks(workspaceId, id);
  const total = sizes?.reduce((sum, { recipients }) => sum + recipients, 0) ?? counts.recipients;
  const positions = new Set<number>();
  while (positions.size < Math.min(sampleSize, total)) {
    positions.add(randomInt(total));
  }
  // Chunks in random order, because only some are read if rows are long.
  const indexes = new Map(
    indexesIn(sizes, [...positions])
      .map((chunk) => ({ chunk, at: randomInt(2 ** 32) }))
      .sort((one, other) => one.at - other.at)
      .map(({ chunk }) => chunk),
  );
  const sample: PhoneNumber[] = [];
  const picked = { numbers: [...indexes.keys()], maxBytes: maxSampleBytes };
  for await (const { number: chunk, to } of campaigns.numbersIn(workspaceId, id, picked)) {
    const numbers = (indexes.get(chunk) ?? []).flatMap((index) => to[index] ?? []);
    sample.push(...numbers.map((number) => phoneNumberSchema.parse(number)));
  }
  return sample;
}

/**
 * Returns the chunks that hold recipients at these positions, with the index of each. Without stored sizes,
 * every chunk had one recipient, which may have been removed.
 */
function indexesIn(
  sizes: readonly { number: number; recipients: number }[] | undefined,
  positions: number[],
): [chunk: number, indexes: number[]][] {
  if (sizes === undefined) {
    return positions.map((position) => [position, [0]]);
  }
  const sorted = positions.toSorted((one, other) => one - other).values();
  let next = sorted.next();
  let before = 0;
  return sizes.flatMap(({ number, recipients }) => {
    const indexes: number[] = [];
    for (; !next.done && next.value < before + recipients; next = sorted.next()) {
      indexes.push(next.value - before);
    }
    before += recipients;
    return indexes.length === 0 ? [] : [[number, indexes]];
  });
}

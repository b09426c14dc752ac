import { ifOwn } from '../../../domain/access/ownership.ts';
import type { ReachedLimit } from '../../../domain/limits/reached-limit.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { isNigerian, routeSchema } from '../../../domain/messages/routes.ts';
import { maskNumber, type PhoneNumber, toDigits } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Ending, Operation } from '../../../store/operations/operation.ts';
import type { Context } from '../../context.ts';
import type { DndChecker } from '../../numbers/number-lookup.ts';
import type { Operations } from '../../operations/operations.ts';
import { toEnding } from '../../operations/outcomes.ts';
import { sendMessage } from '../../operations/send-message.ts';
import type { SenderIdService } from '../../sender-ids/sender-id-service.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import { type CreatePreview, createPreview, type Preview, sampleRecipients } from './preview.ts';

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
  const { workspaces, senderIds } = others;

  const findReady: FindReady = async (workspaceId, id, userId) => {
    const campaign = ifOwn(await campaigns.find(workspaceId, id), userId);
    return campaign?.state === 'ready' ? campaign : undefined;
  };

  const preview: CreatePreview = async (campaign, columns) => {
    const { workspaceId } = campaign;
    const [off, activeSenderIds] = await Promise.all([
      workspaces.rulesOff(workspaceId),
      senderIds.active(workspaceId),
    ]);
    return createPreview(campaign, {
      campaigns,
      columns,
      messagesPerSecond: context.settings.campaignMessagesPerSecond,
      now: context.time.now(),
      off,
      activeSenderIds,
    });
  };

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

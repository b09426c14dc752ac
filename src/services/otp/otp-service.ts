import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { compareSeen, type NotAsShown, type Seen, seenSchema } from '../../domain/limits/seen.ts';
import { countPages } from '../../domain/messages/pages.ts';
import { smsSender } from '../../domain/messages/sender-id.ts';
import { codePlaceholder, fillCodeText, fillMinutes } from '../../domain/otp/code-text.ts';
import { type OtpWay, otpWaySchema, ownWaySchema } from '../../domain/otp/otp-ways.ts';
import { maskNumber, toDigits } from '../../domain/phone/phone-number.ts';
import type { Secret } from '../../lib/secret.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import { jobTopics } from '../../store/engine/jobs/jobs.ts';
import type { Ending, Operation } from '../../store/operations/operation.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { Refusal } from '../refusal.ts';
import type { SendingFacts } from '../sender-ids/sending-facts.ts';
import type { SavedForms } from '../workspaces/saved-forms.ts';
import type { CodeDefaults, UserPreferences } from '../workspaces/workspace-settings.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import {
  type CodeSetup,
  formOf,
  isOwnCode,
  nameOfSettings,
  type OtpForm,
  type OtpRequest,
  type OwnCode,
  otpFormSchema,
  type ProviderCode,
} from './code-form.ts';
import {
  createCodeVault,
  createProviderCodes,
  type UnansweredVerification,
  type Verification,
} from './codes.ts';

export type SendOtpResult =
  /** `shown`: an in-app token, returned only by the call that generated it. */
  (SpendResult & { shown?: Secret | undefined }) | NotAsShown;

/** What the form of a code shows of the facts that may change before it is sent. */
export const shownCodeSchema = z.object({
  seen: seenSchema,
  /** The sender ID whose state the form shows. */
  senderId: z.string().exactOptional(),
});
export type ShownCode = z.infer<typeof shownCodeSchema>;

/** What the ledger stores of a send: never the code. */
export const otpSummarySchema = z.object({
  way: otpWaySchema,
  /** Masked. */
  to: z.string(),
  /** Empty where a way has none, such as a call. */
  senderId: z.string(),
  /** Whether it is a code of the provider's that can be verified here. */
  byProvider: z.boolean().exactOptional(),
});

/** How many operations are searched. */
const searchDepth = 50;

const ownKinds: ReadonlySet<string> = new Set(ownWaySchema.options.map(kindOf));

/** `operation`: the send of the code, with what became of the code. */
export interface VerifyResult {
  verification: Verification | UnansweredVerification;
  operation: Operation | undefined;
}

interface SendOtpRequest {
  workspaceId: string;
  userId: string;
  key: string;
  channelId?: string | undefined;
  code: OtpRequest;
  /** What the form showed that was submitted. */
  shown: ShownCode;
}

export function createOtpService(
  context: Context,
  {
    workspaces,
    operations,
    savedForms,
    sendingFacts,
  }: {
    workspaces: Workspaces;
    operations: Operations;
    savedForms: SavedForms;
    sendingFacts: SendingFacts;
  },
) {
  const { time, report } = context;
  const codes = { own: createCodeVault(context), provider: createProviderCodes(context) };

  const setup = (workspaceId: string) => readSetup(context, workspaces, workspaceId);

  /** Returns a form for a number, with the user's last way and sender ID where the workspace has them. */
  async function newForm(workspaceId: string, userId: string, number: string): Promise<OtpForm> {
    const [{ defaults, ways }, last] = await Promise.all([
      setup(workspaceId),
      workspaces.preferences(workspaceId, userId),
    ]);
    const way =
      ways.find((each) => each === last.otpWay) ?? ways.find((each) => each === defaults.way) ?? 'sms';
    return { way, number, address: '', device: '', senderId: smsSender(last.senderId) };
  }

  return {
    setup,
    newForm,

    /** Returns the current facts for the form of a code. `typed`: a sender ID, used if the workspace has no default. */
    async shownOf(workspaceId: string, typed: string | undefined): Promise<ShownCode> {
      const now = await setup(workspaceId);
      const senderId = now.defaults.senderId ?? typed;
      const seen = await factsOf(context, sendingFacts, workspaceId, { now, senderId });
      return { seen, ...(senderId !== undefined && { senderId }) };
    },

    /** Returns the form filled in as for a code that the user sent before; an empty one if that is no longer known. */
    formAgain: async (workspaceId: string, userId: string, key: string): Promise<OtpForm> =>
      (await codes.own.formOf(workspaceId, key, userId)) ??
      (await codes.provider.formOf(workspaceId, key, userId)) ??
      otpFormSchema
        .optional()
        .parse(await savedForms.find({ workspaceId, userId }, unsentName(userId, key))) ??
      newForm(workspaceId, userId, ''),

    /** Sends a code, or has the provider generate one, once per key, unless something changed since the form was shown. */
    async send(request: SendOtpRequest): Promise<SendOtpResult> {
      const { workspaceId, userId, key, channelId, code, shown: form } = request;
      const before = await operations.find(workspaceId, key, userId);
      if (before !== undefined) {
        return { kind: 'performed', operation: before, first: false };
      }
      const now = await setup(workspaceId);
      const { defaults, verifiesProviderCodes } = now;
      const { emailConfigurationId } = defaults;
      const senderId = 'senderId' in code ? code.senderId : undefined;
      // Of a sender ID that was typed since, the form showed nothing.
      const { sender: _, ...known } = form.seen;
      const seen = form.senderId === senderId ? form.seen : known;
      const unchanged = compareSeen(
        seen,
        await factsOf(context, sendingFacts, workspaceId, { now, senderId }),
      );
      if (unchanged.kind === 'not_as_shown') {
        return unchanged;
      }
      const byProvider = code.way === 'sms_token' && verifiesProviderCodes;
      const { way } = code;
      const to = way === 'email' ? code.address.replace(/^(.).*@/, '$1•••@') : maskNumber(code.to);
      const from = way === 'chat' ? code.device : (senderId ?? '');
      const summary: z.output<typeof otpSummarySchema> = {
        way,
        to,
        senderId: from,
        ...(byProvider && { byProvider }),
      };
      const numbers = code.way === 'email' ? undefined : [code.to];
      const expiresAt = new Date(time.now().getTime() + code.minutes * 60_000);
      const intent = { workspaceId, key, kind: kindOf(code.way), userId, summary, numbers, expiresAt };
      let shown: Secret | undefined;

      async function call(account: ProviderAccount): Promise<Ending> {
        if (!isOwnCode(code)) {
          const requested = await requestProviderCode(account, code);
          shown = requested.shown;
          const { pinId } = requested;
          if (byProvider && pinId !== undefined) {
            // It was sent, whether what is needed to verify it could be stored or not.
            await codes.provider.add(workspaceId, key, { userId, code, pinId, expiresAt }).catch(report);
          }
          return requested.ending;
        }
        const secret = await codes.own.create(workspaceId, key, { userId, code, expiresAt });
        const made = { secret, emailConfigurationId: emailConfigurationId ?? '' };
        const ending = await sendOwnCode(account, code, made);
        if (ending.state === 'rejected' || ending.state === 'not_sent') {
          await codes.own.delete(workspaceId, key, userId);
        }
        return ending;
      }

      if (code.way === 'email' && emailConfigurationId === undefined) {
        // That no key is connected is said first.
        await workspaces.connected(workspaceId);
        throw new Refusal({ kind: 'no_email_configuration' });
      }
      // An in-app token is shown here, and goes to nobody.
      const charged =
        way === 'email' ? { address: code.address, shown: to } : way === 'in_app' ? undefined : code.to;
      const usage = { kind: 'code' as const, to: charged, pages: pagesOfCode(code) };
      const result = await operations.spend(
        { ...intent, channelId: channelId || undefined, usage, unchanged },
        call,
      );
      if (!result.first) {
        return result;
      }
      const { state } = result.operation;
      if (state === 'rejected' || state === 'not_sent') {
        await savedForms.save({ workspaceId, userId }, unsentName(userId, key), formOf(code)).catch(report);
      } else if (state === 'accepted') {
        await workspaces.rememberPreferences(workspaceId, userId, choicesOf(code, defaults, byProvider));
      }
      return { ...result, shown };
    },

    ...createVerifications(context, { workspaces, operations, codes }),
  };
}

interface Codes {
  own: ReturnType<typeof createCodeVault>;
  provider: ReturnType<typeof createProviderCodes>;
}

function createVerifications(
  { store, report }: Context,
  { workspaces, operations, codes }: { workspaces: Workspaces; operations: Operations; codes: Codes },
) {
  const { restoredAt } = store.installation;
  const isRestored = ({ createdAt }: Operation) => restoredAt !== undefined && createdAt < restoredAt;

  return {
    /**
     * @param key of the send
     * @param typed the code that was read back. An empty one costs no attempt: it shows whether the code can still be verified
     */
    async verify(workspaceId: string, key: string, userId: string, typed: string): Promise<VerifyResult> {
      const sent = await operations.find(workspaceId, key, userId);
      if (sent !== undefined && sent.codeOutcome === undefined && isRestored(sent)) {
        return { verification: { kind: 'restored' }, operation: sent };
      }
      const isProviders = otpSummarySchema.safeParse(sent?.summary).data?.byProvider === true;
      const verification = isProviders
        ? await codes.provider.verify(
            await workspaces.connected(workspaceId),
            { workspaceId, id: key, userId },
            typed,
          )
        : await codes.own.verify(workspaceId, key, userId, typed);
      const operation = await operations.find(workspaceId, key, userId);
      if (operation?.codeOutcome !== undefined) {
        await store.jobs.enqueue(jobTopics.notices, '').catch(report);
      }
      return { verification, operation };
    },

    /** Returns the user's sends whose codes are live: neither expired nor verified, with attempts left. Newest first. */
    async listVerifiable(workspaceId: string, userId: string): Promise<Operation[]> {
      const recent = await operations.recent(workspaceId, userId, searchDepth);
      const open = recent.filter((each) => isOpen(each) && !isRestored(each));
      const live = await Promise.all(
        open.map(({ kind, key }) => codes[ownKinds.has(kind) ? 'own' : 'provider'].isLive(workspaceId, key)),
      );
      return open.filter((_, index) => live[index]);
    },
  };
}

async function readSetup(
  { dialect }: Context,
  workspaces: Workspaces,
  workspaceId: string,
): Promise<CodeSetup> {
  const [chosen, general] = await Promise.all([
    workspaces.codeDefaults(workspaceId),
    workspaces.defaults(workspaceId),
  ]);
  const ways = otpWaySchema.options.filter(
    (way) => way !== 'email' || chosen.emailConfigurationId !== undefined,
  );
  const senderId = chosen.senderId ?? smsSender(general.senderId);
  const verifiesProviderCodes = dialect.tokenVerifyPath !== undefined;
  return { defaults: { ...chosen, senderId }, ways, country: general.country, verifiesProviderCodes };
}

/** Returns what is true now of a code from a sender ID. Codes have no quiet hours, and need no approval. */
async function factsOf(
  { time }: Context,
  sendingFacts: SendingFacts,
  workspaceId: string,
  { now, senderId }: { now: CodeSetup; senderId: string | undefined },
): Promise<Seen> {
  const codeSettings = nameOfSettings(now);
  if (senderId === undefined) {
    return { codeSettings };
  }
  const sending = { workspaceId, route: codeRoute, senderId, quiet: 0, start: time.now() };
  return { codeSettings, ...(await sendingFacts(sending)) };
}

/** Names the form of a code that was not sent, as it is kept for another one: nothing of the code itself is. */
const unsentName = (userId: string, key: string) => `code.${ownId(userId, key)}`;

/** Whether the code may have reached its recipient, and can be verified here. One of the provider's needs its answer. */
export function isVerifiable({
  kind,
  state,
  summary,
}: Pick<Operation, 'kind' | 'state' | 'summary'>): boolean {
  return ownKinds.has(kind)
    ? state === 'accepted' || state === 'unconfirmed'
    : state === 'accepted' && otpSummarySchema.safeParse(summary).data?.byProvider === true;
}

/** Whether the code of this send can be verified here and has not ended. */
export function isOpen(operation: Operation): boolean {
  return isVerifiable(operation) && operation.codeOutcome === undefined;
}

/**
 * What the form begins with next time. Not a way whose codes cannot be verified here: the next customer on the line would
 * wait for nothing.
 */
function choicesOf(code: OtpRequest, defaults: CodeDefaults, byProvider: boolean): UserPreferences {
  const isChosenSender = 'senderId' in code && defaults.senderId === undefined;
  return {
    ...(isOwnCode(code) || byProvider ? { otpWay: code.way } : {}),
    ...(isChosenSender ? { senderId: code.senderId } : {}),
  };
}

/** The kind of the operation that sends a code. */
function kindOf(way: OtpWay): string {
  return `otp.${way}`;
}

/** API §1: on the generic route codes may not arrive, and the sender ID may be blocked. */
const codeRoute = 'dnd';

/** Sends a code that Switchboard generated. */
async function sendOwnCode(
  account: ProviderAccount,
  code: OwnCode,
  made: { secret: Secret; emailConfigurationId: string },
): Promise<Ending> {
  const { secret, emailConfigurationId } = made;
  const accepted = ({ messageId, balance }: { messageId: string; balance?: string | undefined }) => ({
    providerId: messageId,
    balance,
  });
  switch (code.way) {
    case 'sms':
      return sendBySms(account, code, secret);
    case 'voice':
      return toEnding(await account.tokens.call({ phoneNumber: toDigits(code.to), code: secret }), accepted);
    case 'chat':
      return toEnding(
        await account.messages.sendChatOtp({ to: toDigits(code.to), from: code.device, code: secret }),
        accepted,
      );
    case 'email':
      return toEnding(
        await account.tokens.email({ emailAddress: code.address, code: secret, emailConfigurationId }),
        accepted,
      );
  }
}

/** Returns the pages that are paid for, of what is known before the code is made: a call is one. */
function pagesOfCode(code: OwnCode | ProviderCode): number {
  switch (code.way) {
    case 'sms':
    case 'sms_token': {
      const filled = fillCodeText(code.text, { code: '0'.repeat(code.length), minutes: code.minutes });
      return countPages(filled).pages;
    }
    case 'voice':
    case 'chat':
      return 1;
    case 'email':
    case 'in_app':
      return 0;
  }
}

/** As an ordinary message (API §4.1). Its text, like the code, is stored nowhere. */
async function sendBySms(
  account: ProviderAccount,
  code: OwnCode & { way: 'sms' },
  secret: Secret,
): Promise<Ending> {
  const text = fillCodeText(code.text, { code: secret.reveal(), minutes: code.minutes });
  const { pages, needsUnicode } = countPages(text);
  const outcome = await account.messages.send({
    to: toDigits(code.to),
    from: code.senderId,
    route: codeRoute,
    text,
    code: secret,
    ...(needsUnicode ? { type: 'unicode' as const } : {}),
  });
  return toEnding(outcome, ({ messageId, balance }) => ({ providerId: messageId, pages, balance }));
}

/**
 * Has the provider generate a code, which only the provider can verify, by its `pinId`: sent by SMS (API §4.4), or returned
 * to be shown (API §4.5). The `pinId` verifies the code, so it is of no operation, whose ids are shown and written to files.
 */
async function requestProviderCode(
  account: ProviderAccount,
  code: ProviderCode,
): Promise<{ ending: Ending; shown?: Secret | undefined; pinId?: string | undefined }> {
  const pin = {
    pinType: code.characters,
    pinAttempts: code.attempts,
    pinTimeToLive: code.minutes,
    pinLength: code.length,
  };
  if (code.way === 'sms_token') {
    const outcome = await account.tokens.send({
      to: toDigits(code.to),
      from: code.senderId,
      route: codeRoute,
      pinPlaceholder: codePlaceholder,
      text: fillMinutes(code.text, code.minutes),
      ...pin,
    });
    return {
      ending: toEnding(outcome, ({ messageId }) => ({ providerId: messageId })),
      pinId: outcome.kind === 'accepted' ? outcome.value.pinId : undefined,
    };
  }
  const outcome = await account.tokens.generate({ phoneNumber: toDigits(code.to), ...pin });
  return {
    ending: toEnding(outcome, () => ({})),
    shown: outcome.kind === 'accepted' ? outcome.value.otp : undefined,
  };
}

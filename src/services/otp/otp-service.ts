import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { idempotencyKey } from '../../domain/access/request-keys.ts';
import { compareSeen, type NotAsShown, type Seen, seenSchema } from '../../domain/limits/seen.ts';
import { otpWaySchema } from '../../domain/otp/otp-ways.ts';
import type { Secret } from '../../lib/secret.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Ending } from '../../store/operations/operation.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
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
  otpFormSchema,
  readOtpForm,
} from './code-form.ts';
import { codeRoute, pagesOfCode, requestProviderCode, sendOwnCode } from './code-requests.ts';
import { createCodeVault, createProviderCodes } from './codes.ts';
import {
  type Codes,
  canCallInstead,
  createVerifications,
  operationKind,
  type VerifyResult,
} from './verification.ts';

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

interface SendOtpRequest {
  workspaceId: string;
  userId: string;
  key: string;
  channelId?: string | undefined;
  code: OtpRequest;
  /** What the form showed that was submitted. */
  shown: ShownCode;
  /** The key of the send whose code this one is sent in place of. */
  insteadOf?: string | undefined;
}

interface OtpDeps {
  workspaces: Workspaces;
  operations: Operations;
  savedForms: SavedForms;
  sendingFacts: SendingFacts;
}

export function createOtpService(context: Context, deps: OtpDeps) {
  const { workspaces, operations, savedForms, sendingFacts } = deps;
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
    return { way, number, address: '', device: '', senderId: last.senderId };
  }

  /** Returns the current facts for the form of a code. `typed`: a sender ID, used if the workspace has no default. */
  async function shownOf(workspaceId: string, typed: string | undefined): Promise<ShownCode> {
    const now = await setup(workspaceId);
    const senderId = now.defaults.senderId ?? typed;
    const seen = await factsOf(context, sendingFacts, workspaceId, { now, senderId });
    return { seen, ...(senderId !== undefined && { senderId }) };
  }

  const verifications = createVerifications(context, { workspaces, operations, codes });

  const send = createSend(context, deps, codes);

  return {
    setup,
    newForm,
    shownOf,
    send,
    ...verifications,

    /** Returns the form filled in as for a code that the user sent before; an empty one if that is no longer known. */
    formAgain: async (workspaceId: string, userId: string, key: string): Promise<OtpForm> =>
      (await codes.own.formOf(workspaceId, key, userId)) ??
      (await codes.provider.formOf(workspaceId, key, userId)) ??
      otpFormSchema
        .optional()
        .parse(await savedForms.find({ workspaceId, userId }, unsentName(userId, key))) ??
      newForm(workspaceId, userId, ''),

    /**
     * Sends a new code by voice in place of one that may not have arrived, once however often it is asked for. Either
     * verifies the number. Returns how the first one ended, where it did.
     */
    async callInstead(
      workspaceId: string,
      userId: string,
      key: string,
    ): Promise<SendOtpResult | VerifyResult> {
      const insteadOf = ownId(userId, key);
      const callKey = idempotencyKey(workspaceId, insteadOf, 'call');
      const before = await operations.findEnded(workspaceId, callKey, userId);
      if (before !== undefined) {
        return { kind: 'performed', operation: before, first: false };
      }
      const checked = await verifications.verify(workspaceId, insteadOf, userId, '');
      const { verification, sent } = checked;
      if (verification.kind !== 'malformed') {
        return checked;
      }
      const form = await codes.own.formOf(workspaceId, insteadOf, userId);
      const read = form && readOtpForm({ ...form, way: 'voice' }, await setup(workspaceId), []);
      if (read?.ok !== true || sent === undefined || !canCallInstead(sent.operation)) {
        throw new Refusal({ kind: 'gone', what: 'message' });
      }
      return send({
        ...{ workspaceId, userId, insteadOf, key: callKey, channelId: sent.operation.channelId },
        code: { ...read.code, length: verification.length },
        shown: await shownOf(workspaceId, undefined),
      });
    },
  };
}

/** Returns a function that sends a code once per key, or has the provider send one, unless a fact of the form has changed. */
function createSend(
  context: Context,
  { workspaces, operations, savedForms, sendingFacts }: OtpDeps,
  codes: Codes,
) {
  const { time, report } = context;
  return async (request: SendOtpRequest): Promise<SendOtpResult> => {
    const { workspaceId, userId, key, channelId, code, shown: form, insteadOf } = request;
    const before = await operations.findEnded(workspaceId, key, userId);
    if (before !== undefined) {
      return { kind: 'performed', operation: before, first: false };
    }
    const now = await readSetup(context, workspaces, workspaceId);
    const { defaults, verifiesProviderCodes } = now;
    const { emailConfigurationId } = defaults;
    const senderId = 'senderId' in code ? code.senderId : undefined;
    // Of a sender ID that was typed since, the form showed nothing.
    const { sender: _, ...known } = form.seen;
    const seen = form.senderId === senderId ? form.seen : known;
    const unchanged = compareSeen(seen, await factsOf(context, sendingFacts, workspaceId, { now, senderId }));
    if (unchanged.kind === 'not_as_shown') {
      return unchanged;
    }
    const byProvider = code.way === 'sms_token' && verifiesProviderCodes;
    const { way } = code;
    const to =
      way === 'email'
        ? { address: code.address, shown: code.address.replace(/^(.).*@/, '$1•••@') }
        : { number: code.to };
    const from = way === 'chat' ? code.device : (senderId ?? '');
    const summary = {
      way,
      to: 'shown' in to ? to.shown : to.number,
      senderId: from,
      ...(byProvider && { byProvider }),
    };
    const numbers = code.way === 'email' ? undefined : [code.to];
    const expiresAt = new Date(time.now().getTime() + code.minutes * 60_000);
    // The text is not kept, which has the code; the number is, for who sent it.
    const text = numbers && '';
    const intent = {
      workspaceId,
      key,
      kind: operationKind(code.way),
      userId,
      summary,
      numbers,
      text,
      expiresAt,
    };
    let shown: Secret | undefined;

    async function call(account: ProviderAccount): Promise<Ending> {
      if (!isOwnCode(code)) {
        const requested = await requestProviderCode(account, code);
        shown = requested.shown;
        const { pinId } = requested;
        if (byProvider && pinId !== undefined) {
          // It was sent, whether the pin id could be stored or not.
          await codes.provider.add(workspaceId, key, { userId, code, pinId, expiresAt }).catch(report);
        }
        return requested.ending;
      }
      const secret = await codes.own.create(workspaceId, key, { userId, code, expiresAt, insteadOf });
      if (secret === undefined) {
        return { state: 'not_sent', error: { reason: 'code_ended' } };
      }
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
    const charged = way === 'in_app' ? undefined : to;
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
    } else if (state === 'accepted' && insteadOf === undefined) {
      await workspaces.rememberPreferences(workspaceId, userId, choicesOf(code, defaults, byProvider));
    }
    return { ...result, shown };
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
  const senderId = chosen.senderId ?? (general.route === 'chatapp' ? undefined : general.senderId);
  const verifiesProviderCodes = dialect.tokenVerifyPath !== undefined;
  return { defaults: { ...chosen, senderId }, ways, country: general.country, verifiesProviderCodes };
}

/** Returns the current facts about a code from a sender ID. Codes have no quiet hours, and need no approval. */
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

import { z } from 'zod';
import { type OtpWay, otpWaySchema, ownWaySchema } from '../../domain/otp/otp-ways.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { jobTopics } from '../../store/engine/jobs/jobs.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { Context } from '../context.ts';
import type { Operations } from '../operations/operations.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { createCodeVault, createProviderCodes, UnansweredVerification, Verification } from './codes.ts';

/** What the ledger stores of a send: never the code. */
export const otpSummarySchema = z.object({
  way: otpWaySchema,
  /** Masked. */
  to: z.string(),
  /** Empty for ways without a sender, such as a call. */
  senderId: z.string(),
  /** Whether it is a code of the provider's that can be verified here. */
  byProvider: z.boolean().exactOptional(),
});

/** How many operations are searched. */
const searchDepth = 50;

const ownKinds: ReadonlySet<string> = new Set(ownWaySchema.options.map(operationKind));

/** `sent`: the send of the code, with what became of the code. */
export interface VerifyResult {
  verification: Verification | UnansweredVerification;
  sent: SentCode | undefined;
}

/** The send of a code, and the number that it went to, while that is kept. */
export interface SentCode {
  operation: Operation;
  number: PhoneNumber | undefined;
}

export interface Codes {
  own: ReturnType<typeof createCodeVault>;
  provider: ReturnType<typeof createProviderCodes>;
}

export function createVerifications(
  { store, report }: Context,
  { workspaces, operations, codes }: { workspaces: Workspaces; operations: Operations; codes: Codes },
) {
  const { restoredAt } = store.installation;
  const isRestored = ({ createdAt }: Operation) => restoredAt !== undefined && createdAt < restoredAt;
  const withNumber = async (operation: Operation): Promise<SentCode> => {
    const { workspaceId, id } = operation;
    return { operation, number: (await store.ledger.texts(workspaceId, [id])).get(id)?.to[0] };
  };

  return {
    /**
     * @param key of the send
     * @param typed the code that was read back. An empty one costs no attempt: it shows whether the code can still be verified
     */
    async verify(workspaceId: string, key: string, userId: string, typed: string): Promise<VerifyResult> {
      const sent = await operations.findEnded(workspaceId, key, userId);
      if (sent !== undefined && sent.codeOutcome === undefined && isRestored(sent)) {
        return { verification: { kind: 'restored' }, sent: await withNumber(sent) };
      }
      const isProviders = otpSummarySchema.safeParse(sent?.summary).data?.byProvider === true;
      const verification = isProviders
        ? await codes.provider.verify(
            await workspaces.connected(workspaceId),
            { workspaceId, id: key, userId },
            typed,
          )
        : await codes.own.verify(workspaceId, key, userId, typed);
      const operation = await operations.findEnded(workspaceId, key, userId);
      if (operation?.codeOutcome !== undefined) {
        await store.jobs.enqueue(jobTopics.notices, '').catch(report);
      }
      return { verification, sent: operation && (await withNumber(operation)) };
    },

    /** Returns the user's sends whose codes are live: neither expired nor verified, with attempts left. Newest first. */
    async listVerifiable(workspaceId: string, userId: string): Promise<SentCode[]> {
      const recent = await operations.recent(workspaceId, userId, searchDepth);
      const open = recent.filter((each) => isOpen(each) && !isRestored(each));
      const live = await Promise.all(
        open.map(({ kind, key }) => codes[ownKinds.has(kind) ? 'own' : 'provider'].isLive(workspaceId, key)),
      );
      return Promise.all(open.filter((_, index) => live[index]).map(withNumber));
    },
  };
}

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

/** Whether a call can take the place of a code: one made here, to a phone number (API §4.6), and not by a call itself. */
export function canCallInstead({ kind }: Pick<Operation, 'kind'>): boolean {
  return kind === operationKind('sms') || kind === operationKind('chat');
}

/** The kind of the operation that sends a code. */
export function operationKind(way: OtpWay): string {
  return `otp.${way}`;
}

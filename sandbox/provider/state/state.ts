import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { copyOf } from '../../lib/json.ts';
import { StateFile } from '../../lib/state-file.ts';
import { allOperationNames } from '../operation-names.ts';
import { accountWebhookSchema } from '../webhook/account-webhook.ts';

export const sendChannels = ['generic', 'dnd', 'chatapp', 'voice', 'chatapp_otp'] as const;
export type SendChannel = (typeof sendChannels)[number];

export const deliveryStatuses = [
  'Delivered',
  'Failed',
  'Expired',
  'Rejected',
  'DND Active on Phone Number',
  // A status that isn't in the facts.
  'Parked at Operator',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const senderIdSchema = z.strictObject({
  sender_id: z.string(),
  /** `blocked` and `DECLINED` were both observed for sender IDs that may not be used. */
  status: z.enum(['active', 'pending', 'blocked', 'DECLINED']),
  country: z.string(),
  createdAt: z.string(),
  company: z.string().exactOptional(),
  usecase: z.string().exactOptional(),
  /** When the review of a request ends, ISO 8601. Without it, only `approveSenderId` ends the review. */
  reviewAt: z.string().exactOptional(),
});

const contactSchema = z.strictObject({
  id: z.string(),
  phone_number: z.string(),
  contact_list_key_value: z.array(z.strictObject({ key: z.string(), value: z.string() })),
  email_address: z.string().exactOptional(),
  first_name: z.string().exactOptional(),
  last_name: z.string().exactOptional(),
  company: z.string().exactOptional(),
  created_at: z.string(),
  updated_at: z.string(),
});

const phonebookSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  createdAt: z.string(),
  campaigns: z.int(),
  /** The columns of its contacts. */
  headers: z.array(z.string()),
  contacts: z.array(contactSchema),
  /** Uploaded files that are still being processed. */
  arriving: z.array(
    z.strictObject({ at: z.string(), headers: z.array(z.string()), contacts: z.array(contactSchema) }),
  ),
});

const simSchema = z.strictObject({
  id: z.int(),
  iccid: z.string(),
  imsi: z.string(),
  /** The plan bought last. */
  productId: z.string(),
  state: z.enum(['RELEASED', 'INACTIVE']),
  /** These times are ISO 8601. */
  createdAt: z.string(),
  lastOperationAt: z.string(),
  /** Missing until a second plan is bought. */
  purchasedAt: z.string().exactOptional(),
  activationCode: z.string(),
  smdp: z.string(),
  /** `carriedOver` is the data left from the plan before, in gigabytes. */
  plan: z.strictObject({ boughtAt: z.string(), carriedOver: z.number() }),
});

const accountSchema = z.strictObject({
  key: z.string(),
  /** The name of the account holder, `user` in answers. */
  name: z.string(),
  applicationId: z.int(),
  /** In kobo, so that small charges add up exactly. */
  balanceInKobo: z.int(),
  /** The activated channels. */
  channels: z.array(z.enum(sendChannels)),
  /** Whether the number status (API §4.8) is activated. */
  insight: z.boolean(),
  /** The ids of e-mail configurations (API §4.7). */
  emailConfigurations: z.array(z.string()),
  /** The newest first. */
  senderIds: z.array(senderIdSchema),
  phonebooks: z.array(phonebookSchema),
  /** The newest first. */
  sims: z.array(simSchema),
  /** Where reports and inbound messages go. Nothing is sent without. */
  webhook: accountWebhookSchema.exactOptional(),
});

const acceptedMessageSchema = z.strictObject({
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  operation: z.enum(allOperationNames),
  /** The account's key. */
  account: z.string(),
  channel: z.enum([...sendChannels, 'email']),
  type: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  /** A sent pin stands in place of its placeholder. Empty for media. */
  text: z.string(),
  media: z.strictObject({ url: z.string(), caption: z.string().exactOptional() }).exactOptional(),
  /** Per recipient. */
  pages: z.int(),
  costInKobo: z.int(),
  /** In the order of `to`. */
  deliveries: z.array(z.strictObject({ to: z.string(), delivery: z.enum(deliveryStatuses) })),
});

const inboundTextSchema = z.strictObject({
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** The key of the account that received it. */
  account: z.string(),
  /** The number of the phone. */
  from: z.string(),
  /** The number or device that it was sent to. */
  to: z.string(),
  channel: z.enum(['generic', 'chatapp']),
  text: z.string(),
});

const pinSchema = z.strictObject({
  id: z.string(),
  /** The account's key. */
  account: z.string(),
  number: z.string(),
  code: z.string(),
  attemptsLeft: z.int(),
  /** ISO 8601. */
  expiresAt: z.string(),
});

const stateSchema = z.strictObject({
  accounts: z.array(accountSchema),
  record: z.array(acceptedMessageSchema),
  /** What phones have sent. */
  inbox: z.array(inboundTextSchema),
  pins: z.array(pinSchema),
  /** The unexpired tokens of the eSIM operations. */
  esimTokens: z.array(z.strictObject({ token: z.string(), account: z.string(), expiresAt: z.string() })),
  /** Phonebooks emptied by a delete without a contact's id, with the number of contacts lost. */
  emptiedPhonebooks: z.array(
    z.strictObject({ at: z.string(), account: z.string(), id: z.string(), contacts: z.int() }),
  ),
});

export type StoredSenderId = z.infer<typeof senderIdSchema>;
export type StoredContact = z.infer<typeof contactSchema>;
export type StoredPhonebook = z.infer<typeof phonebookSchema>;
export type Sim = z.infer<typeof simSchema>;
export type AccountState = z.infer<typeof accountSchema>;
export type AcceptedMessage = z.infer<typeof acceptedMessageSchema>;
export type InboundText = z.infer<typeof inboundTextSchema>;
export type Pin = z.infer<typeof pinSchema>;
/** The whole state of the provider. */
export type State = z.infer<typeof stateSchema>;

/** A copy of an account at one point in time. */
export type AccountView = Readonly<Omit<AccountState, 'balanceInKobo'>> & {
  /** In naira. */
  readonly balance: number;
};

export function accountViewOf({ balanceInKobo, ...account }: AccountState): AccountView {
  return { ...copyOf(account), balance: balanceInKobo / 100 };
}

/** Messages kept over a restart: enough to look back on, and quick to write. */
const savedMessages = 1000;

/** Reads the state from a file. Resolves with undefined when there is no file; throws when it cannot be read. */
export async function readProviderState(file: string): Promise<State | undefined> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    const message = `The sandbox can’t read its provider’s data in ${file}. Delete the file, or run: npm run sandbox -- --reset`;
    throw new Error(message, { cause: error });
  }
}

/** Keeps the state in a file, with the newest 1,000 messages each way. */
export function createProviderStateFile(file: string, state: () => State): StateFile {
  return new StateFile(file, () => {
    const { record, inbox, ...rest } = state();
    return { ...rest, record: record.slice(-savedMessages), inbox: inbox.slice(-savedMessages) };
  });
}

import { z } from 'zod';
import { deliveryStatuses } from './networks.ts';
import { operationNames } from './operation-names.ts';

export const channels = ['generic', 'dnd', 'chatapp', 'voice', 'chatapp_otp'] as const;
export type Channel = (typeof channels)[number];

const senderIdSchema = z.strictObject({
  sender_id: z.string(),
  /** `blocked` and `DECLINED` are both seen for what may not be used. */
  status: z.enum(['active', 'pending', 'blocked', 'DECLINED']),
  country: z.string(),
  createdAt: z.string(),
  company: z.string().exactOptional(),
  usecase: z.string().exactOptional(),
  /** When a requested one is decided on, ISO 8601; without it, by a person alone. */
  reviewAt: z.string().exactOptional(),
});

const accountSchema = z.strictObject({
  key: z.string(),
  /** The account holder's name, which answers carry as `user`. */
  name: z.string(),
  applicationId: z.int(),
  /** In kobo, so that a thousand small charges add up exactly. */
  balanceInKobo: z.int(),
  /** The channels that are activated. */
  channels: z.array(z.enum(channels)),
  /** Whether the number status (API §4.8) is activated. */
  insight: z.boolean(),
  /** The ids of e-mail configurations (API §4.7). */
  emailConfigurations: z.array(z.string()),
  /** The newest first. */
  senderIds: z.array(senderIdSchema),
});

const acceptedMessageSchema = z.strictObject({
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  operation: z.enum(operationNames),
  /** The account's key. */
  account: z.string(),
  channel: z.enum([...channels, 'email']),
  type: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  /** With the code in its place, where a pin was sent; empty where media was. */
  text: z.string(),
  media: z.strictObject({ url: z.string(), caption: z.string().exactOptional() }).exactOptional(),
  /** Of one recipient. */
  pages: z.int(),
  costInKobo: z.int(),
  /** In the order of `to`. */
  deliveries: z.array(z.strictObject({ to: z.string(), delivery: z.enum(deliveryStatuses) })),
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

export const stateSchema = z.strictObject({
  accounts: z.array(accountSchema),
  record: z.array(acceptedMessageSchema),
  pins: z.array(pinSchema),
});

export type SenderId = z.infer<typeof senderIdSchema>;
export type Account = z.infer<typeof accountSchema>;
export type AcceptedMessage = z.infer<typeof acceptedMessageSchema>;
export type Pin = z.infer<typeof pinSchema>;
/** Everything that the provider remembers. */
export type State = z.infer<typeof stateSchema>;

import { z } from 'zod';

const rate = z.number().min(0, 'must be 0 to 1').max(1, 'must be 0 to 1').default(0);

/** The sandbox sends nothing beyond this machine. */
const isOnThisMachine = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(url)?.hostname ?? '');

/**
 * An account's webhook, as entered in the provider's dashboard (facts): where reports and incoming messages
 * go, how they are signed, and how they are disturbed on the way.
 */
export const accountWebhookSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'The address must begin with http:// or https://.' })
    .refine(isOnThisMachine, 'The address must be on this machine, such as http://127.0.0.1:4302/….'),
  header: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'The header must be letters, digits and hyphens.')
    .default('X-Provider-Signature'),
  hash: z.enum(['sha512', 'sha256']).default('sha512'),
  encoding: z.enum(['hex', 'base64']).default('hex'),
  /** The signing key. Defaults to the account's API key. */
  secret: z.string().min(1).exactOptional(),
  /** Whether the body is wrapped in `data`. */
  wrapped: z.boolean().default(false),
  /** The delay of each report, in milliseconds. */
  delayMs: z.int().min(0).max(86_400_000).default(2_000),
  /** The shares of reports that are lost, sent twice, and preceded by a forged one. */
  lossRate: rate,
  duplicateRate: rate,
  forgeryRate: rate,
  /** The share of recipients whose reports arrive in reverse order. */
  reorderRate: rate,
  /** Decides which ones. */
  seed: z.int().default(1),
  /** Whether reports wait until `deliver` is called, instead of being sent after the delay. */
  held: z.boolean().default(false),
});

export type AccountWebhook = z.infer<typeof accountWebhookSchema>;
/** Everything except the URL has a default. */
export type AccountWebhookInput = z.input<typeof accountWebhookSchema>;

/** The defaults, without a URL. */
export const defaultWebhook: AccountWebhook = {
  ...accountWebhookSchema.parse({ url: 'http://127.0.0.1/' }),
  url: '',
};

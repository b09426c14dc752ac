import { z } from 'zod';
import { isZone } from '../domain/time/start-time.ts';
import { about, type Described, describeFields, oneOf, textOf } from './setting-types.ts';

/** A name that the provider gave something. */
const word = textOf((text) =>
  /^\S{1,100}$/.test(text) ? undefined : 'is empty, too long or has spaces in it',
);

/** The path of an operation under the base URL: `/api/…`. */
const path = textOf((text) => (/^\/[^\s?#]*$/.test(text) ? undefined : 'is not a path that begins with /'));

/** An ISO 4217 code. */
const currency = textOf((text) =>
  Intl.supportedValuesOf('currency').includes(text) ? undefined : 'isn’t an ISO 4217 code',
);

/** Where a request names a resource: as a segment of its path, or in a field of its query or body. */
const naming = textOf((text) => {
  const form = /^(?:path|(?:query|body):([A-Za-z_]\w*))$/.exec(text);
  if (!form) {
    return 'must be path, query:NAME or body:NAME';
  }
  return form[1] === 'api_key' ? 'uses `api_key`, the field that the key is sent in' : undefined;
});

/** The name of a header of HTTP, in lower case as Node has it. */
const headerName = textOf((text) =>
  /^[A-Za-z0-9-]{1,100}$/.test(text) ? undefined : 'is not the name of a header: letters, digits and hyphens',
).transform((text) => text.toLowerCase());

/** The IANA name of a time zone. */
const zone = textOf((text) => (isZone(text) ? undefined : 'isn’t a time zone, such as Africa/Lagos'));

const reportSignatureSchema = z.strictObject(
  {
    header: headerName.register(about, { description: 'The header with the signature.' }),
    hash: oneOf(['sha512', 'sha256']).prefault('sha512').register(about, {
      description: 'The hash of the signature, an HMAC over the raw body: `sha512` or `sha256`.',
    }),
    encoding: oneOf(['hex', 'base64']).prefault('hex').register(about, {
      description: 'How the signature is written: `hex` or `base64`.',
    }),
    key: oneOf(['api_key', 'secret']).prefault('api_key').register(about, {
      description:
        'The key of the signature: `api_key`, the workspace’s provider key, or `secret`, one that an admin enters.',
    }),
  },
  'isn’t a list of fields',
);

/** Every field of the profile, named as in the provider client’s `Dialect`. */
export const profileSchema = z.strictObject(
  {
    chatChannel: word.prefault('chatapp').register(about, {
      description: 'The name of the chat-app channel.',
    }),
    chatOtpChannel: word.prefault('chatapp_otp').register(about, {
      description: 'The channel name for one-time codes in the chat app.',
    }),
    unicodeType: word.optional().register(about, {
      description:
        'The message type for text with emoji or in another alphabet. If unset, such text is refused.',
    }),
    currency: currency.optional().register(about, {
      description:
        'The currency of balances that are reported without one: an ISO 4217 code, such as `NGN`. If unset, they are shown without a currency.',
    }),
    voiceOtpPath: path.prefault('/api/sms/otp/call').register(about, {
      description: 'The path for one-time codes by voice call.',
    }),
    successMarker: oneOf(['required', 'optional']).prefault('required').register(about, {
      description:
        'Whether a response needs its success marker: the `code` for a message, the `status` for a one-time code. With `required`, a response without it is [unconfirmed](provider.md#how-can-a-request-end). With `optional`, an id is enough. Before you set it, send one of each from your account and check that it arrives.',
    }),
    contactDeleteBy: naming.optional().register(about, {
      description:
        'How a delete request identifies the contact: `path`, `query:NAME` or `body:NAME`. If unset, contacts cannot be deleted.',
    }),
    balancePath: path.optional().register(about, {
      description:
        'The path that reads the account’s balance: usually `/api/get-balance`. If unset, the balance is known only from answers to sends.',
    }),
    historyPath: path.optional().register(about, {
      description:
        'The path for the delivery status of a message: usually `/api/sms/inbox`. If unset, the provider is not asked.',
    }),
    historyAmount: oneOf(['cost', 'other']).prefault('other').register(about, {
      description:
        'What `amount` means in the history: `cost`, the charge for the message, which is counted as its [cost](costs.md), or `other`, which is ignored.',
    }),
    phonebooksPath: path.optional().register(about, {
      description:
        'The path that lists the phonebooks: usually `/api/phonebooks`. If unset, an admin adds each phonebook by its ID.',
    }),
    tokenVerifyPath: path.optional().register(about, {
      description:
        'The path that verifies a one-time code made by the provider: usually `/api/sms/otp/verify`. If unset, such codes cannot be verified in Slack.',
    }),
    sentAtZone: zone.optional().register(about, {
      description:
        'The time zone of `sent_at`, which doesn’t include one, such as `Africa/Lagos`. If unset, an incoming message’s [time](opt-out.md#which-replies-opt-out) comes only from `received_at`.',
    }),
    reportSignature: reportSignatureSchema.optional().register(about, {
      description:
        'How the provider signs its [delivery reports](reports.md): the fields below. If unset, no reports are accepted.',
    }),
  },
  'isn’t a list of fields',
);

/** What the provider’s description leaves open. */
export type ProviderProfile = z.output<typeof profileSchema>;
export type ProviderProfileInput = z.input<typeof profileSchema>;

/** What the profile is without a file: exactly what the provider’s description says. */
export const describedProfile: ProviderProfile = profileSchema.parse({});

/** Describes the fields of a profile for a table, see `describeFields`. */
export function describeProfile(): Described[] {
  return [
    ...describeFields(profileSchema.shape),
    ...describeFields(reportSignatureSchema.shape).map(({ name, ...field }) => ({
      name: `reportSignature.${name}`,
      ...field,
    })),
  ];
}

import { readFileSync } from 'node:fs';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { about, type Described, describeFields, oneOf, type SettingFault, textOf } from './setting-types.ts';

/** In bytes. The example with all its comments has a tenth of this; a file beyond it is another file. */
const maxFileSize = 64 * 1024;

/** A name that the provider gave something. */
const word = textOf((text) =>
  /^\S{1,100}$/.test(text) ? undefined : 'is empty, too long or has spaces in it',
);

/** The path of an operation under the base URL: `/api/…`. */
const path = textOf((text) => (/^\/[^\s?#]*$/.test(text) ? undefined : 'is not a path that begins with /'));

/** An ISO 4217 code. */
const currency = textOf((text) =>
  Intl.supportedValuesOf('currency').includes(text) ? undefined : 'is no ISO 4217 code',
);

/** Where a request names a resource: as a segment of its path, or in a field of its query or body. */
const naming = textOf((text) => {
  const form = /^(?:path|(?:query|body):([A-Za-z_]\w*))$/.exec(text);
  if (!form) {
    return 'is none of path, query:NAME and body:NAME';
  }
  return form[1] === 'api_key' ? 'takes the name of the field that the key is in' : undefined;
});

/** The name of a header of HTTP, in lower case as Node has it. */
const headerName = textOf((text) =>
  /^[A-Za-z0-9-]{1,100}$/.test(text) ? undefined : 'is not the name of a header: letters, digits and hyphens',
).transform((text) => text.toLowerCase());

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
  'is no list of fields',
);

/** Every field of the profile. The names are those of the provider client’s `Dialect`. */
const profileSchema = z.strictObject(
  {
    chatChannel: word.prefault('chatapp').register(about, {
      description: 'The name of the chat-app channel.',
    }),
    chatOtpChannel: word.prefault('chatapp_otp').register(about, {
      description: 'The name of the channel of one-time codes in the chat app.',
    }),
    unicodeType: word.optional().register(about, {
      description:
        'The name of the type of a text with emoji or in another alphabet. Unset: such text is refused.',
    }),
    currency: currency.optional().register(about, {
      description:
        'The currency of balances that name none: an ISO 4217 code, such as `NGN`. Unset: balances are shown without one.',
    }),
    voiceOtpPath: path.prefault('/api/sms/otp/call').register(about, {
      description: 'The path of the call that speaks a one-time code.',
    }),
    contactDeleteBy: naming.optional().register(about, {
      description:
        'How a request to delete names the contact: `path`, `query:NAME` or `body:NAME`. Unset: contacts cannot be deleted.',
    }),
    balancePath: path.optional().register(about, {
      description:
        'The path that reads the account’s balance: usually `/api/get-balance`. Unset: the balance is known from answers to sends alone.',
    }),
    historyPath: path.optional().register(about, {
      description:
        'The path that says what became of a message: usually `/api/sms/inbox`. Unset: the provider is not asked.',
    }),
    historyAmount: oneOf(['cost', 'other']).prefault('other').register(about, {
      description:
        'What the `amount` of the history is: `cost`, what was charged for the message, which is then counted as its [cost](costs.md), or `other`, which is ignored.',
    }),
    phonebooksPath: path.optional().register(about, {
      description:
        'The path that lists the phonebooks: usually `/api/phonebooks`. Unset: an admin adds each phonebook by its ID.',
    }),
    tokenVerifyPath: path.optional().register(about, {
      description:
        'The path that verifies a one-time code made by the provider: usually `/api/sms/otp/verify`. Unset: such codes cannot be verified in Slack.',
    }),
    reportSignature: reportSignatureSchema.optional().register(about, {
      description:
        'How the provider signs its [delivery reports](reports.md): the fields below. Unset: no reports are taken.',
    }),
  },
  'is no list of fields',
);

/** What the provider’s description leaves open. */
export type ProviderProfile = z.output<typeof profileSchema>;
export type ProviderProfileInput = z.input<typeof profileSchema>;
export type ReportSignature = z.output<typeof reportSignatureSchema>;

/** What the profile is without a file: exactly what the provider’s description says. */
const describedProfile: ProviderProfile = profileSchema.parse({});

/**
 * Reads and checks the file that `PROVIDER_PROFILE` names. Returns every fault with its line; the profile is then the one
 * without a file.
 */
export function readProfile(file: string | undefined): { profile: ProviderProfile; faults: SettingFault[] } {
  if (file === undefined) {
    return { profile: describedProfile, faults: [] };
  }
  const read = parseFile(file);
  return Array.isArray(read) ? { profile: describedProfile, faults: read } : { profile: read, faults: [] };
}

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

function parseFile(file: string): ProviderProfile | SettingFault[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return [fileFault(unreadable[errorCode(error)] ?? 'names a file that cannot be read')];
  }
  return bytes.length > maxFileSize
    ? [fileFault(`names a file of more than ${maxFileSize / 1024} kB`)]
    : parseProfile(bytes.toString('utf8'));
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'names a file that does not exist',
  EACCES: 'names a file that this program may not read',
  EISDIR: 'names a folder',
};

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function parseProfile(text: string): ProviderProfile | SettingFault[] {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    // By the code alone: the message repeats what is in the file, which may be another one, with secrets.
    return problems.map(({ code, pos }) =>
      fileFault(`is no YAML at line ${lineAt(pos[0])}: ${code.toLowerCase().replaceAll('_', ' ')}`),
    );
  }
  if (document.contents !== null && !isMap(document.contents)) {
    return [fileFault('names a file without fields, such as balancePath: /api/get-balance')];
  }
  const given = valuesOf(document);
  if (given === undefined) {
    return [fileFault('names a file with an alias (*) in it')];
  }
  const { data, error } = profileSchema.safeParse(given);
  const faults = [...(error?.issues.flatMap(faultsOf) ?? []), ...unusedAmount(given)];
  return data !== undefined && faults.length === 0
    ? data
    : faults
        .map((fault) => ({ ...fault, line: lineAt(offsetOf(document.contents, fault.path) ?? 0) }))
        .sort((one, other) => one.line - other.line)
        .map(({ name, line, problem, remedy }) => ({
          setting: `${name} in PROVIDER_PROFILE (line ${line})`,
          problem,
          remedy,
        }));
}

/** Returns what is in the file; undefined where it has an alias, of which a small file can make a large object. */
function valuesOf(document: Document.Parsed): Record<string, unknown> | undefined {
  try {
    return document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch {
    return undefined;
  }
}

interface FieldFault extends Omit<SettingFault, 'setting'> {
  /** What the person who reads it is told. */
  name: string;
  path: readonly PropertyKey[];
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      name: [...issue.path, /^\w{1,40}$/.test(key) ? key : 'A field'].map(String).join('.'),
      path: [...issue.path, key],
      problem: 'is no field of a profile',
      remedy: 'Correct its name, or remove it: docs/settings.md lists every field.',
    }));
  }
  const name = issue.path.map(String).join('.');
  return [{ name, path: issue.path, problem: issue.message, remedy: remedyOf(name) }];
}

function remedyOf(name: string): string {
  const field = describeProfile().find((each) => each.name === name);
  return field === undefined || field.default === 'unset' || field.default === 'required'
    ? 'Correct it as docs/settings.md says, or remove it.'
    : `Correct it, or remove it for ${field.default}.`;
}

function unusedAmount({ historyPath, historyAmount }: Record<string, unknown>): FieldFault[] {
  return historyPath === undefined && historyAmount !== undefined
    ? [
        {
          name: 'historyAmount',
          path: ['historyAmount'],
          problem: 'is set, but historyPath is not',
          remedy: 'Set historyPath to the path of the history, or remove historyAmount.',
        },
      ]
    : [];
}

/** Returns where a field is in the text; of one that is missing, where the field is that it belongs to. */
function offsetOf(node: unknown, [key, ...rest]: readonly PropertyKey[]): number | undefined {
  const pair = isMap(node)
    ? node.items.find(({ key: name }) => isScalar(name) && name.value === key)
    : undefined;
  return pair && (offsetOf(pair.value, rest) ?? (isScalar(pair.key) ? pair.key.range?.[0] : undefined));
}

function fileFault(problem: string): SettingFault {
  return {
    setting: 'PROVIDER_PROFILE',
    problem,
    remedy:
      'Set it to a YAML file like provider-profile.example.yml, or unset it: then only what the provider describes is on.',
  };
}

import type { Keyv } from 'keyv';
import { z } from 'zod';
import { defaultCodeText } from '../../domain/otp/code-text.ts';
import { otpWaySchema } from '../../domain/otp/otp-ways.ts';
import { type AsyncCacheOptions, createAsyncCache } from '../../lib/async-cache.ts';

const codeDefaultsSchema = z.object({
  /** The way that the form opens with. */
  way: otpWaySchema,
  /** Without one, codes come from the workspace's default sender ID. */
  senderId: z.string().optional(),
  /** The text of an SMS, with `<code>` and `<minutes>`. */
  text: z.string(),
  length: z.int(),
  minutes: z.int(),
  attempts: z.int(),
  /** Of the codes that the provider generates. */
  characters: z.enum(['NUMERIC', 'ALPHANUMERIC']),
  /** The configuration on the provider's dashboard that sends codes by email (API §4.7). */
  emailConfigurationId: z.string().optional(),
});

/** How a workspace sends one-time codes. */
export type CodeDefaults = z.infer<typeof codeDefaultsSchema>;

export interface CodeDefaultsStore {
  codeDefaults(workspaceId: string): Promise<CodeDefaults>;
  saveCodeDefaults(workspaceId: string, changed: CodeDefaults): Promise<void>;
}

const initial: CodeDefaults = {
  way: 'sms',
  text: defaultCodeText,
  length: 6,
  minutes: 10,
  attempts: 3,
  characters: 'NUMERIC',
};

export function createCodeDefaults({
  settings,
  cache,
}: {
  settings: (workspaceId: string) => Keyv;
  cache: AsyncCacheOptions;
}): CodeDefaultsStore & { forgetCodeDefaults(workspaceId: string): void; known(): Iterable<string> } {
  const cached = createAsyncCache<CodeDefaults>(cache);

  async function read(workspaceId: string): Promise<CodeDefaults> {
    const value: unknown = await settings(workspaceId).get('code-defaults');
    return value === undefined ? initial : codeDefaultsSchema.parse(value);
  }

  return {
    forgetCodeDefaults: (workspaceId) => cached.delete(workspaceId),
    known: cached.keys,

    codeDefaults: (workspaceId) => cached.get(workspaceId, () => read(workspaceId)),

    async saveCodeDefaults(workspaceId, changed) {
      await settings(workspaceId).set('code-defaults', changed);
      cached.delete(workspaceId);
    },
  };
}

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { routeSchema } from '../../domain/messages/routes.ts';
import type { Context } from '../context.ts';

const preferencesSchema = z.object({
  senderId: z.string().optional(),
  route: routeSchema.optional(),
  /** The sender on the chat route. */
  device: z.string().optional(),
  campaignSenderId: z.string().optional(),
  testNumber: z.string().optional(),
  otpWay: z.string().optional(),
});

/** What a user chose last, to fill in their next form. */
export type UserPreferences = z.infer<typeof preferencesSchema>;

export function createPreferences({ store: { keyv }, report }: Context) {
  async function read(workspaceId: string, userId: string): Promise<UserPreferences> {
    const value: unknown = await keyv(workspaceId, 'preferences').get(userId);
    return value === undefined ? {} : preferencesSchema.parse(value);
  }

  return {
    preferences: read,
    /**
     * Replaces what the patch names. A write that is lost costs the user a choice, so concurrent ones need no order, and this
     * never throws: what was done is shown as done.
     */
    async rememberPreferences(
      workspaceId: string,
      userId: string,
      patch: { readonly [Name in keyof UserPreferences]: UserPreferences[Name] },
    ): Promise<void> {
      try {
        const before = await read(workspaceId, userId);
        const changed = { ...before, ...patch };
        // Every send says what was chosen, mostly the same again.
        if (!isDeepStrictEqual(changed, before)) {
          await keyv(workspaceId, 'preferences').set(userId, changed);
        }
      } catch (error) {
        report(error);
      }
    },
  };
}

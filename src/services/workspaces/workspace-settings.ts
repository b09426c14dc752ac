import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { usualEsimPurchases } from '../../domain/defaults.ts';
import { deliveryRuleNames } from '../../domain/deliveries/delivery-rules.ts';
import { routeSchema } from '../../domain/messages/routes.ts';
import { defaultCodeText } from '../../domain/otp/code-text.ts';
import { otpWaySchema } from '../../domain/otp/otp-ways.ts';
import { countryCodeSchema } from '../../domain/phone/countries.ts';
import { createAsyncCache } from '../../lib/async-cache.ts';
import type { Context } from '../context.ts';

/** The defaults of a workspace's forms, and what its people can do. */
const defaultsSchema = z.object({
  /** ISO 3166-1 alpha-2: the country of numbers that are written without one. */
  country: countryCodeSchema,
  route: routeSchema,
  senderId: z.string().optional(),
  /** Whether eSIMs can be created and topped up. */
  esimPurchases: z.boolean(),
});

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

/** The rules of the check before a send that an admin has switched off. */
const checksSchema = z.object({ off: z.array(z.enum(deliveryRuleNames)) });

/** In milliseconds: how late another instance's change is noticed where its broadcast is lost. */
const ttlMs = 5_000;
/** Workspaces whose settings are cached. */
const maxWorkspaces = 1_000;

/** Returns options for a cache of what workspaces have set. */
export function settingsCache({ time }: Context) {
  return { max: maxWorkspaces, ttl: { ms: ttlMs, elapsed: time.elapsed } };
}

/** The settings of each workspace that forms open with and messages are checked by. The audit has each change. */
export function createWorkspaceSettings(context: Context) {
  const defaults = createSetting(context, {
    key: 'defaults',
    subject: 'defaults',
    isCached: true,
    schema: defaultsSchema,
    initial: { country: 'NG', route: 'dnd', esimPurchases: usualEsimPurchases },
  });
  const codes = createSetting(context, {
    key: 'code-defaults',
    subject: 'one-time codes',
    isCached: true,
    schema: codeDefaultsSchema,
    initial: {
      way: 'sms',
      text: defaultCodeText,
      length: 6,
      minutes: 10,
      attempts: 3,
      characters: 'NUMERIC',
    },
  });
  const checks = createSetting(context, {
    key: 'delivery-checks',
    subject: 'delivery checks',
    isCached: true,
    schema: checksSchema,
    initial: { off: [] },
  });

  return {
    defaults: defaults.read,
    saveDefaults: defaults.save,
    codeDefaults: codes.read,
    saveCodeDefaults: codes.save,
    /** Returns the rules of the check before a send that are switched off. All are on at first. */
    rulesOff: async (workspaceId: string) => (await checks.read(workspaceId)).off,
    saveRulesOff: (workspaceId: string, off: z.infer<typeof checksSchema>['off']) =>
      checks.save(workspaceId, { off }),
    /** Drops the cached settings of a workspace; without one, of all. */
    forget(workspaceId?: string): void {
      for (const setting of [defaults, codes, checks]) {
        setting.forget(workspaceId);
      }
    },
  };
}

/** Keeps one setting of each workspace, with each change in the audit. */
export function createSetting<Value extends object | undefined>(
  context: Context,
  {
    key,
    subject,
    schema,
    initial,
    isCached = false,
    shown = (value) => value ?? {},
  }: {
    key: string;
    /** What the audit calls it. */
    subject: string;
    schema: z.ZodType<Value>;
    /** Until an admin saves another. */
    initial: Value;
    /** For what every command reads. Otherwise a change counts on all instances as soon as it is saved. */
    isCached?: boolean;
    /** Returns what the audit compares. Texts are not in it: only that they were changed. */
    shown?: (value: Value) => object;
  },
) {
  const { store, broadcast, audit } = context;
  const cache = createAsyncCache<Value>(settingsCache(context));
  const values = (workspaceId: string) => store.keyv(workspaceId, 'settings');

  async function load(workspaceId: string): Promise<Value> {
    const value: unknown = await values(workspaceId).get(key);
    return value === undefined ? initial : schema.parse(value);
  }

  const read = (workspaceId: string) =>
    isCached ? cache.get(workspaceId, () => load(workspaceId)) : load(workspaceId);

  return {
    read,

    /** @param userId the user of the current request unless given */
    async save(workspaceId: string, changed: Value, userId?: string): Promise<void> {
      const before = await read(workspaceId);
      try {
        await (changed === undefined
          ? values(workspaceId).delete(key)
          : values(workspaceId).set(key, changed));
        cache.delete(workspaceId);
      } finally {
        broadcast.send('settings', workspaceId);
      }
      const details = changesBetween({ ...shown(before) }, { ...shown(changed) });
      if (Object.keys(details).length > 0) {
        const entry = { action: 'settings.change', subject, outcome: 'done', details } as const;
        await audit.record({ workspaceId, userId, ...entry });
      }
    },

    forget(workspaceId?: string): void {
      for (const each of workspaceId === undefined ? [...cache.keys()] : [workspaceId]) {
        cache.delete(each);
      }
    },
  };
}

/** Returns each setting that has another value, with the value before and after. */
function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, [string, string] | 'changed'> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(
    changed.map((name) => [
      name,
      name === 'text' ? 'changed' : [describe(before[name]), describe(after[name])],
    ]),
  );
}

function describe(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

/** Ignores a stored route that no longer exists. */
const lastRouteSchema = routeSchema.optional().catch(undefined);

const preferencesSchema = z.object({
  senderId: z.string().optional(),
  route: lastRouteSchema,
  /** The sender on the chat route. */
  device: z.string().optional(),
  campaignSenderId: z.string().optional(),
  campaignRoute: lastRouteSchema,
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
     * Replaces what the patch names. Never throws, and concurrent calls need no order: a lost write only costs the user a
     * choice.
     */
    async rememberPreferences(
      workspaceId: string,
      userId: string,
      patch: { readonly [Name in keyof UserPreferences]: UserPreferences[Name] },
    ): Promise<void> {
      try {
        const before = await read(workspaceId, userId);
        const changed = { ...before, ...patch };
        // Every send calls this, mostly without a change.
        if (!isDeepStrictEqual(changed, before)) {
          await keyv(workspaceId, 'preferences').set(userId, changed);
        }
      } catch (error) {
        report(error);
      }
    },
  };
}

import { z } from 'zod';
import { highestApprovalHours, usualApprovalHours } from '../../domain/defaults.ts';
import { readMoney, writeMoney } from '../../domain/money/money.ts';
import type { Context } from '../context.ts';
import { createSetting } from '../workspaces/workspace-settings.ts';

const approvalSettingsSchema = z.object({
  /** Campaigns to more recipients need approval. None does unless given. */
  recipients: z.int().nonnegative().optional(),
  /** Purchases of eSIMs for more need approval: a decimal in the account's currency. None does unless given. */
  price: z.string().optional(),
  /** Where approvers are asked: a Slack channel id. */
  channelId: z.string().optional(),
  /** How long a request waits before it expires. */
  hours: z.int().optional(),
});

/** What needs approval in a workspace. Nothing does until an admin says so. */
export type ApprovalSettings = z.infer<typeof approvalSettingsSchema>;

/** The settings as typed. */
export interface ApprovalSettingsForm {
  campaigns: boolean;
  recipients: string;
  esims: boolean;
  price: string;
  channelId: string | undefined;
  /** Empty: the default. */
  hours: string;
}

export type ApprovalSettingsFaults = Partial<Record<'recipients' | 'price' | 'channelId' | 'hours', string>>;

/** What the form opens with when campaigns are first ticked. */
export const defaultRecipients = 1_000;
const maxRecipients = 10_000_000;
/** In characters. */
const maxTyped = 20;

export function readApprovalSettings(
  form: ApprovalSettingsForm,
): { ok: true; settings: ApprovalSettings } | { ok: false; faults: ApprovalSettingsFaults } {
  const count = form.campaigns ? withoutSeparators(form.recipients) : '';
  const recipients = /^\d{1,8}$/.test(count) && Number(count) <= maxRecipients ? Number(count) : undefined;
  const money = form.esims ? readMoney(withoutSeparators(form.price)) : undefined;
  const isPrice = money !== undefined && money.nanos >= 0n && money.currency === undefined;
  const price = isPrice ? writeMoney(money) : undefined;
  const typedHours = form.hours.trim();
  const hours = typedHours === '' ? undefined : Number(typedHours);
  const isHours =
    hours === undefined || (/^\d{1,3}$/.test(typedHours) && hours >= 1 && hours <= highestApprovalHours);
  const faults: ApprovalSettingsFaults = {
    ...(form.campaigns && recipients === undefined
      ? { recipients: `Enter a whole number from 0 to ${maxRecipients.toLocaleString('en')}.` }
      : {}),
    ...(form.esims && price === undefined ? { price: 'Enter an amount, such as 5,000.' } : {}),
    ...((form.campaigns || form.esims) && form.channelId === undefined
      ? { channelId: 'Choose a channel.' }
      : {}),
    ...(isHours ? {} : { hours: `Enter a whole number from 1 to ${highestApprovalHours}.` }),
  };
  return Object.keys(faults).length > 0
    ? { ok: false, faults }
    : { ok: true, settings: { recipients, price, channelId: form.channelId, hours } };
}

function withoutSeparators(typed: string): string {
  return typed.length > maxTyped ? '' : typed.trim().replaceAll(',', '');
}

/**
 * Whether a price is more than a limit. One that is not known, or in another currency than the account's, is taken for
 * more.
 */
export function isOverPrice(
  limit: string,
  price: { amount: string; currency?: string | undefined } | undefined,
  accountCurrency: string | undefined,
): boolean {
  const allowed = readMoney(limit);
  const asked = price && readMoney(price.amount);
  const isForeign =
    price?.currency !== undefined && accountCurrency !== undefined && price.currency !== accountCurrency;
  return allowed === undefined || asked === undefined || isForeign || asked.nanos > allowed.nanos;
}

/** What is asked for, by what decides whether it needs approval. */
export type ApprovalSize =
  | { recipients: number }
  /** The price of a purchase; undefined where it is not known. */
  | { price: { amount: string; currency?: string | undefined } | undefined };

export function createApprovalSettings(context: Context) {
  const { read: settings, save: saveSettings } = createSetting<ApprovalSettings>(context, {
    key: 'approvals',
    subject: 'approvals',
    schema: approvalSettingsSchema,
    initial: {},
    shown: ({ hours = usualApprovalHours, ...others }) => ({ hours, ...others }),
  });

  return {
    settings,
    saveSettings,

    /** Returns the channel in which something of this size needs approval; undefined where it needs none. */
    async channelFor(workspaceId: string, size: ApprovalSize): Promise<string | undefined> {
      const { recipients, price, channelId } = await settings(workspaceId);
      const needsIt =
        'recipients' in size
          ? recipients !== undefined && size.recipients > recipients
          : price !== undefined && isOverPrice(price, size.price, context.dialect.currency);
      return needsIt ? channelId : undefined;
    },
  };
}

import type { Button, KnownBlock } from '@slack/types';
import type { Operation } from '../../store/operations/operation.ts';
import { actions, button } from '../block-kit/build.ts';

/**
 * The action ids of buttons that lead from one feature to another. The feature that is opened handles them, so that
 * none imports another.
 */
export const openActions = {
  /** Its value is a number to fill in, or empty. */
  messageForm: 'sms_open',
  /** The form of a reply in the thread of a number, whose id is the value. */
  reply: 'reply_open',
  /** The form, filled in with a message of the user’s own that was not sent; its value is the key of its operation. */
  messageAgain: 'sms_again',
  /** Its value is the id of a phonebook to choose in the form, or empty. */
  campaignForm: 'campaign_form',
  campaigns: 'campaign_list',
  /** One campaign, whose id is the value: its review if it is not started yet, else its status. */
  campaign: 'campaign_open',
  /** Its value is a number to fill in, or empty. */
  otpForm: 'otp_open',
  /** The form for the code that a customer reads back. */
  verifyCode: 'otp_verify_open',
  /** The form for another code like one of the user’s own; its value is the key of its operation. */
  codeAgain: 'otp_send_another',
  /** The form for a sender ID; its value is the key of the user’s own request that it is filled in with, if any. */
  senderIdRequest: 'sender_id_request',
  dndCheckForm: 'open_dnd_check',
  numberForm: 'open_number',
  senderIds: 'sender_id_open',
  esimPlans: 'esim_plans_open',
  esimStatus: 'esim_status_open',
  contacts: 'contacts_open',
  /** For admins. */
  phonebooks: 'phonebooks_manage',
  suppressionList: 'open_do_not_contact',
  history: 'open_history',
  /** One entry of the history, whose id is the value. */
  historyEntry: 'history_open',
  /** The user's own unconfirmed outcomes of the last day. */
  unconfirmed: 'open_unconfirmed',
  /** The history of the user's own that was not delivered. */
  notDelivered: 'open_not_delivered',
  /** Asks the provider about the outcome of an operation, whose id is the value. */
  askProvider: 'history_ask_provider',
  /** Asks the provider what became of a campaign; its value is made by `campaignQuestion`. */
  askAboutCampaign: 'history_ask_campaign',
  /** For admins. */
  limits: 'limits_open',
  /** For admins. */
  audit: 'audit_open',
  /** For admins. */
  erasure: 'erase_person_open',
  /** For admins. */
  settings: 'switchboard_open',
  /** For admins: what forms begin with. */
  defaults: 'defaults_open',
  /** For admins. */
  roles: 'roles_open',
  /** For admins: the provider’s delivery reports. */
  reports: 'reports_open',
  /** For admins: where messages that come in are posted. */
  replySettings: 'reply_settings_open',
  /** For admins: what needs approval. */
  approvalSettings: 'approval_settings_open',
  /** The balance. */
  balance: 'balance_open',
  /** Alerts, for admins: which are on, and where they are posted. */
  watchers: 'watchers_open',
  /** What the provider charged, by month. */
  costs: 'costs_open',
  /** For admins: the form for a new price. */
  priceForm: 'prices_add',
  /** One request for approval, whose id is the value. */
  approval: 'approval_open',
} as const;

/** *Send again* of the user’s own message, code or request that was certainly not sent: it opens its form, filled in. */
function sendAgainButtons({ kind, state, key }: Pick<Operation, 'kind' | 'state' | 'key'>): Button[] {
  const actionId = kind.startsWith('otp.') ? openActions.codeAgain : againActions[kind];
  return actionId !== undefined && (state === 'rejected' || state === 'not_sent')
    ? [button(actionId, 'Send again', { value: key })]
    : [];
}

export function sendAgainBlocks(operation: Pick<Operation, 'kind' | 'state' | 'key'>): KnownBlock[] {
  const buttons = sendAgainButtons(operation);
  return buttons.length === 0 ? [] : [actions('send_again', ...buttons)];
}

const againActions: Readonly<Record<string, string>> = {
  'sms.send': openActions.messageAgain,
  'sender_id.request': openActions.senderIdRequest,
};

/** Adds *Check delivery status* to the buttons at the end of the blocks, or below them. Its value is the operation’s id. */
export function withAskProviderButton(blocks: readonly KnownBlock[], { id }: { id: string }): KnownBlock[] {
  const ask = button(openActions.askProvider, 'Check delivery status', { value: id });
  const last = blocks.at(-1);
  return last?.type === 'actions'
    ? [...blocks.slice(0, -1), { ...last, elements: [...last.elements, ask] }]
    : [...blocks, actions('ask_provider', ask)];
}

/** The button *Check delivery status* of a campaign that has messages to ask about. */
export function askAboutCampaignButton({ id }: { id: string }): Button {
  return button(openActions.askAboutCampaign, 'Check delivery status', {
    value: campaignQuestion(id, undefined),
  });
}

/** Returns the value of a button that asks about the next messages of a campaign. */
export function campaignQuestion(id: string, after: number | undefined): string {
  return `${after ?? ''}:${id}`;
}

/** A position that no button of ours has is the beginning. */
export function readCampaignQuestion(value: string): { id: string; after: number | undefined } {
  const [, after = '', id = ''] = /^(-?\d{0,9}):(.*)$/s.exec(value) ?? [];
  return { id, after: after === '' || after === '-' ? undefined : Number(after) };
}

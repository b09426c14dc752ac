import { type Permission, permissions } from '../../../src/domain/access/roles.ts';
import type { ListenerKind } from './registered-listeners.ts';

type NamedKind = Exclude<ListenerKind, 'command' | 'closed'>;

const namesByPermission: Readonly<Record<Permission, Partial<Record<NamedKind, string>>>> = {
  // Everyone with a role: what is their own, and that a person wants no messages.
  use: {
    home: 'home',
    action: `run_sms run_otp run_dnd-check run_number run_sender-id run_contacts run_esim run_esim-status run_switchboard
      sms_received sms_not_received form_open_again place place_progress place_image place_approval place_alert approval_open balance_open costs_open costs_month approval_withdraw channel_invite channel_check_again sms_cancel place_replies do_not_contact_add_this do_not_contact_add
      open_history open_unconfirmed open_not_delivered history.newest history.previous history.next history.number
      history_open history.person history.kind history.state history.from history.to history.clear`,
    submission: 'history do_not_contact_numbers',
    options: 'country',
    tool: 'history message_status',
  },
  look_up: {
    action: `sms_do_not_contact reply_do_not_contact number_do_not_contact open_dnd_check dnd_check_edit open_number number_edit number_history reply_number
      sender_id_open sender_id_list.name sender_id_list.status sender_id_list.previous sender_id_list.next
      contacts_open contacts_phonebook contacts_search contacts_previous contacts_next contacts_back contacts_card
      esim_plans_open esim_country esim_type esim_plans_previous esim_plans_next
      balance_refresh history_ask_provider history_ask_campaign esim_countries_open
      open_do_not_contact do_not_contact.newest do_not_contact.previous do_not_contact.next do_not_contact.number esim_countries.country esim_countries.previous esim_countries.next dnd_check.destination number_look_up.destination`,
    submission:
      'dnd_check number_look_up sender_id_list contacts_list esim_plans esim_countries do_not_contact',
    shortcut: 'check_numbers',
    options: 'esim_country sender_id sender_id_again',
    tool: 'check_numbers look_up_number sender_ids balance_and_costs esim_plans',
  },
  send: {
    action: `sms_open sms_plain_text sms_send sms_edit
      sms_review_plain_text sms_without_accents sms_review_again sms_again sms_same_recipients dnd_send_sms contacts_send_one contacts_send_page reply_open reply_assign reply_done reply_plain_text
      otp_open otp_verify_open otp_send_another otp_verify otp_call_instead otp_send.way otp_send.destination sms_compose.route sms_compose.what sms_compose.text sms_compose.text.again sms_compose.destination reply_form.text reply_form.text.again reply_form.withoutAccents reply_form.withoutAccents.again
      sms_compose.withoutAccents sms_compose.withoutAccents.again
      sms_compose.template sms_compose.route.again sms_compose.what.again reply_form.template
      templates.part templates.previous templates.next template_open template_use template_versions sms_compose.timing
      campaign_start_anyway campaign_replace campaign_edit campaign_without_accents campaign_when campaign_date campaign_time campaign_place_choice campaign_repeat_every campaign_repeat_until campaign_skip_next campaign_check_dnd campaign_list campaign_open campaign_refresh campaign_pause campaign_cancel campaign_start_now campaign_edit_scheduled campaign_discard campaign_resume campaign_change_time campaign_change_sender campaign_leave_out campaign_runs.answer`,
    submission:
      'sms_compose sms_review reply_form otp_send otp_verify templates campaign_review campaign_confirm campaign_runs campaign_sender campaign_change_time',
    options: 'sms_compose.template reply_form.template',
    shortcut: 'send_sms_to',
    tool: 'draft_message draft_code',
  },
  // Phonebooks are lists that campaigns go to, and a sender ID is what they are sent from.
  campaign: {
    action: `campaign_form campaign_source campaign_route campaign_text campaign_replaced_text campaign_accents campaign_replaced_accents campaign_form_replace campaign_template campaign_replaced_route
      campaign_reading campaign_convert_columns campaign_split_dnd campaign_split_quiet_hours campaign_test
      campaign_follow_up campaign_followed_up campaign_download campaign_follow_up_form.whom campaign_follow_up_form.how
      campaign_follow_up_form.text campaign_follow_up_form.text.again campaign_follow_up_form.withoutAccents campaign_follow_up_form.route campaign_follow_up_plain_text
      campaign_duplicate campaign_audience campaign_part campaign_word campaign_without
      campaign_file_rejected campaign_file_unconfirmed campaign_file_not_sent campaign_file_invalid campaign_file_all
      contacts_send_all contacts_add contacts_delete contacts_upload contacts_reading sender_id_request sender_id_request.senderId`,
    submission: `campaign_form campaign_send_test campaign_follow_up_form
      contact_add contacts_file contacts_review sender_id_request`,
    options: 'campaign_template',
    tool: 'campaigns draft_campaign',
  },
  templates: {
    action: `template_add template_change template_restore template_remove
      template_form.text template_form.text.again template_form.withoutAccents template_form.route template_plain_text`,
    submission: 'template_form',
  },
  esim_status: {
    action: `esim_list_open esim_status_open esim_status esim_status_here
      esim_qr_image esim_qr_in_channel esim_installation esim_list.previous esim_list.next`,
    submission: 'esim_status_pick esim_qr_channel',
    options: 'esim_status_pick.chosen',
    tool: 'esim_status',
  },
  buy: {
    action: 'esim_create esim_top_up esim_top_up_this esim',
    submission: 'esim_confirm',
    options: 'esim_order_country esim',
    tool: 'draft_esim_order',
  },
  approve: {
    action: 'approval_approve approval_approve_morning approval_reject',
    submission: 'approval_reject_reason',
  },
  administer: {
    action: `approval_settings_open approval_settings.covered watchers_open watchers.isOn watchers.kinds watch_mute watch_unmute prices_open prices_add prices_change price_remove switchboard_open switchboard_connect switchboard_disconnect
      code_defaults_open delivery_checks_open roles_open roles_add roles_remove limits_open limits_budget defaults_open setup_dismiss limits_lift limits_change.messages limits_change.codes limits_change.lookups limits_change.purchases reports_open reports_address reports_secret erase_person_open reply_remove_as_asked reply_settings_open reply_settings.isOn reply_settings.confirms reply_settings.confirmation reply_settings.withoutAccents code_defaults.text code_defaults.withoutAccents
      audit_open
      audit_export_csv audit_export_jsonl audit_verify phonebooks_manage phonebooks_add phonebooks_remove
      history_export person_export number_remove_from_list
      do_not_contact_remove_this do_not_contact_remove do_not_contact_import do_not_contact_export audit.newest audit.previous audit.next audit.clear audit.person audit.subject audit.from audit.to`,
    submission: `approval_settings watchers price limits limit_numbers.messages limit_numbers.codes limit_numbers.lookups limit_numbers.purchases report_secret erase_person erase_person_confirm switchboard_key switchboard_settings code_defaults delivery_checks phonebook_name role_add reply_settings
      do_not_contact_off do_not_contact_file`,
    options: 'role_add.groups',
  },
};

/** What each listener needs, thought through one by one: a test compares it with what is registered. */
export const neededPermissions: readonly { kind: NamedKind; name: string; needed: Permission }[] =
  permissions.flatMap((needed) =>
    Object.entries(namesByPermission[needed]).flatMap(([kind, names]) =>
      names.split(/\s+/).map((name) => ({ kind: kind as NamedKind, name, needed })),
    ),
  );

/** What each command needs, by what is typed after it. Its help needs `use`. */
export const neededByText: Readonly<Record<string, Readonly<Record<string, Permission>>>> = {
  sms: {
    '': 'send',
    scheduled: 'send',
    '0803 123 4567': 'send',
    '+2348031234567 Hello': 'send',
    'history is made': 'use',
    bulk: 'campaign',
    ' BULK  List ': 'campaign',
    history: 'use',
    'history 0803 123 4567': 'use',
    'do-not-contact': 'look_up',
    template: 'send',
    'template Order ready 0803 123 4567': 'send',
    'bulk lst': 'use',
    'bulk 0803 123 4567': 'send',
    'Hello there': 'send',
  },
  otp: { '': 'send', '0803 123 4567': 'send', verify: 'send' },
  'dnd-check': { '': 'look_up', '0803 123 4567': 'look_up' },
  number: { '': 'look_up', '0803 123 4567': 'look_up' },
  'sender-id': { '': 'look_up', 'palm active': 'look_up', Request: 'campaign' },
  contacts: {
    '': 'look_up',
    loyal: 'look_up',
    'add 0803 123 4567': 'campaign',
    add: 'campaign',
    Upload: 'campaign',
    phonebooks: 'administer',
  },
  esim: {
    '': 'look_up',
    'plans Kenya local': 'look_up',
    Kenya: 'look_up',
    'create Kenya': 'buy',
    create: 'buy',
    'top-up': 'buy',
    'topup 8944500000000000001': 'buy',
    list: 'esim_status',
    countries: 'look_up',
    'creat Kenya': 'look_up',
  },
  'esim-status': { '': 'esim_status', '8944500000000000001': 'esim_status' },
  switchboard: { '': 'use', connect: 'administer' },
};

/** A listener's kind and registered name. */
type ListenerName = `${string} ${string}`;

/** Actions that start to send or spend. Each has a scene in the tests of stale views. */
export const starting = [
  'submission sms_review',
  'action sms_send',
  'submission campaign_review',
  'action campaign_split_dnd',
  'submission campaign_send_test',
  'submission campaign_confirm',
  'submission campaign_change_time',
  'submission campaign_sender',
  'submission esim_confirm',
  'action approval_approve',
] as const satisfies ListenerName[];

/** Actions that stop or pause. Each has a scene in the same tests, because it works from every view. */
export const stopping = [
  'action sms_cancel',
  'closed sms_review',
  'action campaign_pause',
  'action campaign_cancel',
  'action campaign_discard',
  'action campaign_skip_next',
  'action approval_reject',
  'submission approval_reject_reason',
  'action approval_withdraw',
] as const satisfies ListenerName[];

/** Actions of either kind, with the test that calls them from a stale view. */
export const provedElsewhere: Readonly<Record<ListenerName, string>> = {
  'submission campaign_runs': 'test/services/campaigns/stale-versions.test.ts',
  'action campaign_split_quiet_hours': 'test/services/campaigns/stale-versions.test.ts',
  'action approval_approve_morning': 'test/journeys/changed-since-review.test.ts',
  'action campaign_leave_out': 'test/services/campaigns/stale-versions.test.ts',
  'action campaign_start_anyway': 'test/journeys/scheduled-message.test.ts',
};

/** Actions that use only the submitted form or the button's value, so no stored data can have changed. */
export const ofTheirForm: readonly ListenerName[] = [
  'submission otp_send',
  'submission sender_id_request',
  'submission contact_add',
  'submission contacts_review',
  'action contacts_delete',
  'closed campaign_send_test',
  'action otp_call_instead',
  'closed otp_send',
  'closed sender_id_request',
  'closed contact_add',
  'closed contacts_review',
  'closed esim_confirm',
];

/** Actions that only show, read, draft, or change settings and lists. */
const neitherByKind = {
  action: `
    run_sms run_otp run_dnd-check run_number run_sender-id run_contacts run_esim run_esim-status run_switchboard
    form_open_again place place_progress place_image place_approval place_alert place_replies channel_invite
    channel_check_again sms_compose.template sms_compose.what sms_compose.what.again sms_compose.text
    sms_compose.text.again sms_compose.timing sms_compose.route sms_compose.route.again sms_compose.destination sms_plain_text
    sms_open sms_edit sms_review_plain_text sms_without_accents sms_review_again sms_again sms_same_recipients sms_do_not_contact sms_received sms_not_received campaign_form campaign_audience campaign_part
    campaign_word campaign_without campaign_source campaign_route campaign_replaced_route campaign_template
    campaign_text campaign_replaced_text campaign_accents campaign_replaced_accents campaign_without_accents campaign_form_replace campaign_reading campaign_replace campaign_convert_columns campaign_edit
    campaign_follow_up campaign_followed_up campaign_download
    campaign_follow_up_form.whom campaign_follow_up_form.how campaign_follow_up_form.text campaign_follow_up_form.text.again campaign_follow_up_form.withoutAccents campaign_follow_up_form.route campaign_follow_up_plain_text
    campaign_duplicate campaign_when campaign_date campaign_time
    campaign_place_choice campaign_repeat_every campaign_repeat_until campaign_check_dnd campaign_test
    campaign_runs.answer campaign_start_now campaign_edit_scheduled
    campaign_resume campaign_change_sender campaign_change_time campaign_file_rejected
    campaign_file_unconfirmed campaign_file_not_sent campaign_file_invalid campaign_file_all campaign_list
    campaign_open campaign_refresh otp_send.way
    otp_send.destination otp_verify otp_open otp_verify_open otp_send_another dnd_check.destination dnd_send_sms
    open_dnd_check dnd_check_edit number_look_up.destination number_do_not_contact number_remove_from_list
    number_history open_number number_edit sender_id_list.name sender_id_list.status sender_id_list.previous
    sender_id_list.next sender_id_request.senderId sender_id_open sender_id_request contacts_open
    contacts_phonebook contacts_search contacts_previous contacts_next contacts_back contacts_send_one
    contacts_send_all contacts_send_page contacts_add contacts_card contacts_upload contacts_reading phonebooks_manage
    phonebooks_add phonebooks_remove esim_list.previous esim_list.next esim_countries.country
    esim_countries.previous esim_countries.next esim_list_open esim_countries_open esim_plans_open
    esim_country esim_type esim_plans_previous esim_plans_next esim_create esim_top_up esim esim_qr_image
    esim_qr_in_channel esim_installation esim_status_open esim_status esim_status_here esim_top_up_this
    open_history open_unconfirmed open_not_delivered history.newest history.previous history.next history.number history.person history.kind
    history.state history.from history.to history.clear history_open
    history_ask_provider history_ask_campaign history_export do_not_contact.number do_not_contact.newest
    do_not_contact.previous do_not_contact.next do_not_contact_add do_not_contact_remove
    do_not_contact_import do_not_contact_export open_do_not_contact do_not_contact_add_this
    do_not_contact_remove_this approval_settings.covered approval_settings_open
    approval_open audit.person audit.subject audit.from audit.to audit.clear audit.newest audit.previous
    audit.next audit_open audit_export_csv audit_export_jsonl audit_verify erase_person_open person_export
    code_defaults_open delivery_checks_open switchboard_open switchboard_connect switchboard_disconnect
    roles_open roles_add roles_remove limits_open limits_budget defaults_open setup_dismiss limits_lift limits_change.messages limits_change.codes
    limits_change.lookups limits_change.purchases costs_open costs_month prices_open prices_add prices_change
    price_remove balance_open balance_refresh reports_open reports_address reports_secret reply_settings.isOn
    reply_settings.confirms reply_settings.confirmation reply_settings.withoutAccents code_defaults.text code_defaults.withoutAccents reply_settings_open reply_form.template reply_form.text reply_form.text.again reply_form.withoutAccents reply_form.withoutAccents.again
      sms_compose.withoutAccents sms_compose.withoutAccents.again
    reply_plain_text reply_open reply_assign reply_done reply_number reply_do_not_contact
    reply_remove_as_asked templates.part templates.previous templates.next template_form.text
    template_form.text.again template_form.withoutAccents template_form.route template_plain_text template_open template_use template_add
    template_change template_versions template_restore template_remove watchers.isOn watchers.kinds
    watchers_open watch_mute watch_unmute`,
  submission: `
    sms_compose campaign_form campaign_follow_up_form otp_verify dnd_check number_look_up sender_id_list contacts_list contacts_file
    phonebook_name esim_countries esim_plans esim_status_pick esim_qr_channel history do_not_contact
    do_not_contact_numbers do_not_contact_off do_not_contact_file approval_settings erase_person_confirm
    erase_person switchboard_settings switchboard_key code_defaults delivery_checks role_add limits
    limit_numbers.messages limit_numbers.codes limit_numbers.lookups limit_numbers.purchases price
    report_secret reply_settings reply_form templates template_form watchers`,
  shortcut: `
    send_sms_to check_numbers`,
  options: `
    sms_compose.template campaign_template esim_country esim_order_country esim esim_status_pick.chosen
    sender_id sender_id_again country role_add.groups reply_form.template`,
  tool: `
    check_numbers look_up_number history message_status campaigns sender_ids balance_and_costs esim_status
    esim_plans draft_message draft_campaign draft_code draft_esim_order`,
  home: 'home',
  command: 'sms otp dnd-check number sender-id contacts esim esim-status switchboard',
};
export const neither: readonly string[] = Object.entries(neitherByKind).flatMap(([kind, names]) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${kind} ${name}`),
);

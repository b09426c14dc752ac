/**
 * Everything that the audit knows of, as `subject.verb`. Each name is recorded by a test, see
 * `test/journeys/audit.test.ts`.
 */
export const auditActions = [
  // The endings of operations have the kind of the operation. The ledger records them.
  'sms.send',
  'campaign.test',
  'otp.sms',
  'otp.voice',
  'otp.email',
  'otp.chat',
  'otp.sms_token',
  'otp.in_app',
  'sender_id.request',
  'contact.add',
  'contact.upload',
  'contact.delete',
  'esim.create',
  'esim.top_up',
  'campaign.import',
  'campaign.discard',
  'campaign.edit',
  'campaign.start',
  'campaign.schedule',
  'campaign.pause',
  'campaign.resume',
  'campaign.cancel',
  'campaign.miss',
  'campaign.end',
  'campaign.unschedule',
  'campaign.export',
  'suppression.add',
  'suppression.remove',
  'suppression.import',
  'suppression.export',
  'phonebook.add',
  'phonebook.remove',
  'connection.connect',
  'connection.replace',
  'connection.disconnect',
  'settings.change',
  'role.add',
  'role.remove',
  'lookup.number',
  'lookup.dnd',
  'history.export',
  'audit.export',
  /** The program found that the ends of the audit had been changed. */
  'audit.tampered',
  /** Somebody tried what they may not do. */
  'access.refuse',
] as const;

export type AuditAction = (typeof auditActions)[number];

/**
 * Everything that the audit knows of, as `subject.verb`. Each name is recorded by a test, see
 * `test/journeys/audit.test.ts`.
 */
export const auditActions = [
  // The endings of operations have the kind of the operation. The ledger records them.
  'sms.send',
  'sms.confirm_stop',
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
  /** What installs an eSIM was sent to its user, or to a channel. */
  'esim.share',
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
  'campaign.resolve',
  'campaign.unschedule',
  'campaign.export',
  'reply.assign',
  'reply.finish',
  'suppression.add',
  'suppression.remove',
  'suppression.import',
  'suppression.export',
  'phonebook.add',
  'phonebook.remove',
  'approval.request',
  'approval.approve',
  'approval.reject',
  'approval.withdraw',
  'approval.expire',
  'approval.void',
  'connection.connect',
  'connection.replace',
  'connection.disconnect',
  'settings.change',
  'role.add',
  'role.remove',
  'limits.change',
  'limits.lift',
  'keys.rotate',
  'person.erase',
  'lookup.number',
  'lookup.dnd',
  'history.export',
  'installation.install',
  'installation.reinstall',
  'installation.uninstall',
  'installation.revoke',
  'audit.export',
  /** The program found that the ends of the audit had been changed. */
  'audit.tampered',
  /** Somebody tried what they may not do. */
  'access.refuse',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** What an entry is about: what comes before the dot of its action. */
export type AuditSubject = AuditAction extends `${infer Subject}.${string}` ? Subject : never;

export function actionsOf(subject: AuditSubject): AuditAction[] {
  return auditActions.filter((action) => action.startsWith(`${subject}.`));
}

/** What is known of the app's access to a channel that a user picked. */
export type ChannelAccess =
  /** The app is in it. `joined`: since the user pressed *Invite*. */
  | { kind: 'member'; joined?: boolean | undefined }
  /** A public channel that the app is not in. `canJoin`: without an invitation, see `Channels.join`. */
  | { kind: 'not_member'; canJoin: boolean }
  | { kind: 'archived' }
  /** A private channel without the app, or one that does not exist: Slack tells them apart for members only. */
  | { kind: 'not_visible' }
  /** Slack did not say: a scope is missing, or the call failed. */
  | { kind: 'unknown' };

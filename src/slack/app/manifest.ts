/** Each scope, and why the app needs it. */
export const scopes = {
  'chat:write': 'posts results in the channels people choose, and to people',
  commands: 'the slash commands and the shortcuts of messages',
  'files:read': 'reads the files of numbers that people drop into a form',
  'files:write': 'shares results that are too long for a message, as files',
  'im:write': 'opens the conversation with a person, to tell them an outcome',
  'users:read': 'tells members from guests and admins, who may do different things',
} as const;

/** Scopes that may be left out, and what the app does with them: the rest works without. */
export const optionalScopes = {
  'channels:join': 'joins a public channel when a person presses Invite beneath it',
  'channels:read': 'tells whether the app is in a public channel that a person picks',
  'groups:read': 'tells whether the app is in a private channel that a person picks',
  'mcp:connect': 'lets Slackbot use Switchboard’s tools, where Slack has them',
  'usergroups:read': 'gives roles to user groups, and tells who is in them',
} as const;

export interface ManifestOptions {
  /** Stands before each command. */
  prefix: string;
  /** The program's public address, without a slash at its end. A proxy takes its path off. */
  address?: string | undefined;
  /** Whether bot tokens expire and are refreshed. Slack: it cannot be switched off again. Default: no. */
  rotate?: boolean | undefined;
  /** Whether eSIMs can be bought, as `/esim` then says. Default: yes. */
  esimPurchases?: boolean | undefined;
}

const appHome = {
  home_tab_enabled: true,
  messages_tab_enabled: true,
  messages_tab_read_only_enabled: true,
};

/**
 * Returns the app's manifest. With the program's public address, Slack sends requests there; without one, the app is set
 * up for Socket Mode, and for one workspace. Slack: App manifest reference.
 */
export function createManifest({ prefix, address, rotate = false, esimPurchases = true }: ManifestOptions) {
  const url = address === undefined ? {} : { url: `${address}/slack/events` };
  const requests = address === undefined ? {} : { request_url: `${address}/slack/events` };
  return {
    display_information: {
      name: 'Switchboard',
      description: 'SMS, one-time codes, number checks, sender IDs, contacts and eSIMs',
      background_color: '#1d3557',
    },
    features: {
      app_home: appHome,
      bot_user: { display_name: 'Switchboard', always_online: true },
      shortcuts: shortcuts.map(({ callbackId, name, description }) => ({
        name,
        type: 'message',
        callback_id: callbackId,
        description,
      })),
      slash_commands: commands.map((command) => ({
        ...slashCommand(
          prefix,
          command.name === 'esim' && !esimPurchases ? { ...command, ...esimLookUps } : command,
        ),
        ...url,
      })),
    },
    oauth_config: {
      ...(address === undefined ? {} : { redirect_urls: [`${address}/slack/oauth_redirect`] }),
      scopes: {
        bot: [...Object.keys(scopes), ...Object.keys(optionalScopes)].sort(),
        bot_optional: Object.keys(optionalScopes),
      },
    },
    // Slackbot has no way to the program but its address.
    ...(address === undefined
      ? {}
      : {
          mcp_servers: {
            switchboard: { url: `${address}/mcp`, auth_type: 'slack_identity_auth' },
          },
        }),
    settings: {
      event_subscriptions: {
        ...requests,
        // Not `team_access_revoked`: the workspace may be let in again, and Slack's answers say that it is not.
        bot_events: ['app_home_opened', 'app_uninstalled', 'tokens_revoked'],
      },
      interactivity: {
        is_enabled: true,
        ...requests,
        ...(address === undefined ? {} : { message_menu_options_url: requests.request_url }),
      },
      org_deploy_enabled: address !== undefined,
      socket_mode_enabled: address === undefined,
      token_rotation_enabled: rotate,
    },
  };
}

function slashCommand(prefix: string, command: { name: string; description: string; usageHint: string }) {
  return {
    command: `/${prefix}${command.name}`,
    description: command.description,
    usage_hint: command.usageHint,
    // Numbers and texts are data: Slack must not turn parts of them into mentions or links.
    should_escape: false,
  };
}

/** The slash commands, as the manifest registers them; each name gets the prefix of `COMMAND_PREFIX`. */
export const commands = [
  {
    name: 'sms',
    description: 'Send an SMS to one number or thousands',
    usageHint: '[numbers message] | bulk | history | do-not-contact | help',
  },
  {
    name: 'otp',
    description: 'Send and verify a one-time code',
    usageHint: '[number] | verify | help',
  },
  {
    name: 'dnd-check',
    description: 'Check numbers for Do-Not-Disturb, with the route to use',
    usageHint: '[numbers] | help',
  },
  {
    name: 'number',
    description: 'Look up a number: network, porting, Do-Not-Disturb and route',
    usageHint: '[number] [country] | help',
  },
  {
    name: 'sender-id',
    description: 'List your sender IDs, or request a new one',
    usageHint: '[name] [status] | request | help',
  },
  {
    name: 'contacts',
    description: 'List, add and upload contacts, or send them an SMS',
    usageHint: '[phonebook] | add [number] | upload | phonebooks | help',
  },
  {
    name: 'esim',
    description: 'Find data plans, and create or top up eSIMs',
    usageHint: '[country] [type] | create | top-up | list | countries | help',
  },
  {
    name: 'esim-status',
    description: 'Show the status, QR image and install details of an eSIM',
    usageHint: '[ICCID] | help',
  },
  {
    name: 'switchboard',
    description: 'Connect the provider and set defaults',
    usageHint: 'connect | help',
  },
] as const;

/** What `/esim` is registered with where eSIMs are not to be bought. */
const esimLookUps = {
  description: 'Find data plans, and list your eSIMs',
  usageHint: '[country] [type] | list | countries | help',
} as const;

/** The shortcuts in the menu of a message, as the manifest registers them. Slack: at most 24 characters a name. */
const shortcuts = [
  {
    callbackId: 'check_numbers',
    name: 'Check numbers',
    description: 'Check the numbers in this message for Do-Not-Disturb',
  },
  {
    callbackId: 'send_sms_to',
    name: 'Send SMS to…',
    description: 'Send an SMS to the numbers in this message',
  },
] as const;

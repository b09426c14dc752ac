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
export const esimLookUps = {
  description: 'Find data plans, and list your eSIMs',
  usageHint: '[country] [type] | list | countries | help',
} as const;

/** The shortcuts in the menu of a message, as the manifest registers them. Slack: at most 24 characters a name. */
export const shortcuts = [
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

/** The slash commands, as the manifest registers them; each name gets the prefix of `COMMAND_PREFIX`. */
export const commands = [
  {
    name: 'sms',
    description: 'Send an SMS to one or many',
    usageHint: '[numbers message] | bulk | history | help',
  },
  {
    name: 'otp',
    description: 'Send a one-time code, and verify it',
    usageHint: '[number] | verify | help',
  },
  {
    name: 'dnd-check',
    description: 'See who is on Do-Not-Disturb, and which route reaches them',
    usageHint: '[numbers] | help',
  },
  {
    name: 'number',
    description: 'Look up a number: network, porting, Do-Not-Disturb, route',
    usageHint: '[number] [country] | help',
  },
  {
    name: 'sender-id',
    description: 'See your sender IDs, request new ones',
    usageHint: '[name] [status] | request | help',
  },
  {
    name: 'contacts',
    description: 'See, add and upload contacts, send them an SMS',
    usageHint: '[phonebook] | add [number] | upload | phonebooks | help',
  },
  {
    name: 'esim',
    description: 'Find data plans, create eSIMs, top them up',
    usageHint: '[country] [type] | create | top-up | list | countries | help',
  },
  {
    name: 'esim-status',
    description: 'See how an eSIM is doing, and hand over its QR image',
    usageHint: '[ICCID] | help',
  },
  {
    name: 'switchboard',
    description: 'Connect the provider, set what messages start from',
    usageHint: 'connect | help',
  },
] as const;

/** The shortcuts in the menu of a message, as the manifest registers them. Slack: at most 24 characters a name. */
export const shortcuts = [
  {
    callbackId: 'check_numbers',
    name: 'Check numbers',
    description: 'See who of the numbers in this message is on Do-Not-Disturb',
  },
  {
    callbackId: 'send_sms_to',
    name: 'Send SMS to…',
    description: 'Send an SMS to the numbers in this message',
  },
] as const;

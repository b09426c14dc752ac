/** The slash commands, as the manifest registers them; each name gets the prefix of `COMMAND_PREFIX`. */
export const commands = [
  {
    name: 'sms',
    description: 'Send an SMS to one or many',
    usageHint: '[numbers message] | history | help',
  },
  {
    name: 'dnd-check',
    description: 'See who is on Do-Not-Disturb, and which route reaches them',
    usageHint: '[numbers] | help',
  },
  {
    name: 'switchboard',
    description: 'Connect the provider, set what messages start from',
    usageHint: 'connect | help',
  },
] as const;

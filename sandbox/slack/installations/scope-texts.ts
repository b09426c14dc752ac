/** What the authorize page says of a scope, in Slack's manner. */
const texts: Record<string, string> = {
  'channels:history': 'Read messages in public channels that it is in',
  'channels:join': 'Join public channels',
  'channels:read': 'View basic information about public channels',
  'chat:write': 'Send messages as itself',
  'chat:write.public': 'Send messages to public channels that it is not in',
  commands: 'Add shortcuts and slash commands that people can use',
  'files:read': 'View files that are shared where it is',
  'files:write': 'Upload, edit and delete files as itself',
  'groups:read': 'View basic information about private channels that it is in',
  'im:read': 'View basic information about its direct messages',
  'im:write': 'Start direct messages with people',
  'usergroups:read': 'View user groups',
  'users:read': 'View people in the workspace',
};

export function scopeText(scope: string): string {
  return texts[scope] ?? scope;
}

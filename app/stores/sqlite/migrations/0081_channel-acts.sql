-- Messages of channels may have links that act without signing in. Those that were there before have none until somebody chooses it.
UPDATE channels SET settings = json_set(settings, '$.acts', 'none')
WHERE kind IN ('email', 'slack', 'slack-bot', 'discord', 'teams', 'mattermost', 'telegram', 'ntfy');

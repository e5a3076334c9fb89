import { UsageError } from "../usage-error.ts";

/**
 * Replaces `${NAME}` and `${NAME:-default}` by the environment, as other clients do in their
 * configuration. Throws `UsageError` for a name that is not set and has no default.
 */
export function expandVariables(text: string, env: NodeJS.ProcessEnv, where: string): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_all, name: string, fallback: string | undefined) => {
      const value = env[name] ?? fallback;
      if (value !== undefined) return value;
      throw new UsageError(
        `${where}: the environment variable ${name} is not set. Set it, or write \${${name}:-default}.`,
      );
    },
  );
}

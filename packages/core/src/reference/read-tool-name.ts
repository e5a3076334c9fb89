/** The name of the tool by which a model reads more of what it was shown the beginning of. */
export const READ_TOOL_NAME = "read_result";

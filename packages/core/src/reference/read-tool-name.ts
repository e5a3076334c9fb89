/** The name of the tool with which a model reads more of a shortened result. */
export const READ_TOOL_NAME = "read_result";

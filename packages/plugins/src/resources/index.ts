/** The resources of servers, for the application and for models. @module */

export { type ResourceReading, readResource } from "./read-resource.ts";
export { resources } from "./resources.ts";

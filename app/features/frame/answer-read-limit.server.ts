import { data } from "react-router";
import { findReadLimit, sayReadLimit } from "../../domain/read-limit.ts";

/** For pages that people can ask for more than the event store can give. @throws an answer of 503 that says what to do. */
export async function answerReadLimit<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    const limit = findReadLimit(error);
    throw limit === null ? error : data(sayReadLimit(limit), { status: 503 });
  }
}

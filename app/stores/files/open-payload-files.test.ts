import { describePayloadStore } from "../payload-store.contract.ts";
import { createPayloadFileFolder } from "./payload-file-folder.ts";

describePayloadStore("files", createPayloadFileFolder);

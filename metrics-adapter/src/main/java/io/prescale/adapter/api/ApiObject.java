package io.prescale.adapter.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A Kubernetes object that can be written in each of the API's formats. */
interface ApiObject {
  String apiVersion();

  String kind();

  /** The object for JSON and YAML, with {@code kind} and {@code apiVersion}. */
  ObjectNode document();

  /** The object for protocol buffers, without the envelope. */
  Protobuf protobuf();
}

package io.prescale.adapter.api;

/** A Kubernetes object that can be written in each of the API's formats. */
interface ApiObject {
  String apiVersion();

  String kind();

  /** For JSON and YAML, with {@code kind} and {@code apiVersion}. */
  Document document();

  /** For protocol buffers, without the envelope. */
  Protobuf protobuf();
}
